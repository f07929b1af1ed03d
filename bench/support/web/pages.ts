import type { Account, WebScene } from './scene.ts';

/** A page of the application, and the account that opens it. */
export interface WebPage {
  name: string;
  path: string;
  as?: Account;
  /** Students use phones; the others sit at a computer. */
  device: 'phone' | 'computer';
}

const consolePages = ['courses', 'users', 'import', 'devices', 'webhooks', 'audit', 'gradebook'];

/** Every URL of the application that people start from. */
export function pagesOf(scene: WebScene, quizId: number, submissionId: number): WebPage[] {
  const { instructor, student, administrator } = scene;
  const item = `/grading/quizzes/${quizId}`;
  return [
    { name: 'login', path: '/login', device: 'phone' },
    { name: 'my', path: '/my', as: student, device: 'phone' },
    { name: 'grades', path: '/my/grades', as: student, device: 'phone' },
    { name: 'grading', path: '/grading', as: instructor, device: 'computer' },
    { name: 'table', path: item, as: instructor, device: 'computer' },
    { name: 'desk', path: `${item}/submissions/${submissionId}`, as: instructor, device: 'computer' },
    { name: 'rubric', path: `${item}/rubric`, as: instructor, device: 'computer' },
    { name: 'statistics', path: `${item}/statistics`, as: instructor, device: 'computer' },
    ...consolePages.map(
      (name): WebPage => ({ name, path: `/console/${name}`, as: administrator, device: 'computer' }),
    ),
  ];
}
