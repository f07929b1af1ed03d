import type { Scene, Student } from '@gradeway/test/fixtures';
import { Fixtures } from '@gradeway/test/fixtures';
import type { HttpClient } from '@gradeway/test/httpClient';
import { plainPdf } from '@gradeway/test/plainPdf';
import { waitFor } from '@gradeway/test/waitFor';
import { inject } from 'vitest';

type Kind = 'quizzes' | 'homeworks';
/** Creates data over HTTP, in the shared system by default. */
export const createFixtures = (system = inject('system')): Fixtures => new Fixtures(system);

interface RubricItem {
  points: number;
  text: string;
  key?: string;
  explanation?: string;
  group?: string;
}

interface Options {
  kind?: Kind;
  /** One for each submission. Two by default. */
  lastNames?: string[];
  graders?: number;
  title?: string;
  rubric?: RubricItem[];
  /** Returns the file of the student at a position. By default, a page in the colour of `colorOf`. */
  file?(position: number): { name: string; bytes: Uint8Array };
  fixtures?: Fixtures;
}

interface Submission {
  id: number;
  studentName: string;
}

/** A quiz or an assignment with submissions to grade. */
export interface GradingScene {
  kind: Kind;
  courseId: number;
  itemId: number;
  title: string;
  graders: Student[];
  /** The first grader. */
  grader: Student;
  /** In queue order. */
  submissions: Submission[];
  /** The students of the submissions, in the same order. */
  students: Student[];
  /** The path of the item in the application. */
  path: string;
  deskPath(position: number): string;
  /** Reads the current state of a submission. */
  detail(id: number): Promise<{ grade: number | null; comment: string | null; [field: string]: unknown }>;
  /** The rubric's items with their ids. */
  rubricItems: { id: number; text: string; points: number }[];
  rubricRevision: number;
}

export const grading = '/api/v3/grading';

/** Returns the colour of a student's one-page sheet. Tests recognize pages by their pixels. */
export const colorOf = (position: number): [number, number, number] => [
  (40 + position * 67) % 256,
  (90 + position * 41) % 256,
  (200 + position * 29) % 256,
];

function coloredSheet(position: number): { name: string; bytes: Uint8Array } {
  const color = colorOf(position).map((each) => (each / 255).toFixed(4));
  return { name: 'answers.pdf', bytes: plainPdf([{ content: `${color.join(' ')} rg 0 0 595 842 re f` }]) };
}

/** Points are subtracted from 10. */
const defaultRubric: RubricItem[] = [
  { points: 1, text: 'The operation is not shown to be associative.' },
  { points: 3, text: 'The example is not a group.' },
  { points: 2.5, text: 'There is no conclusion.', key: 'q' },
];

export async function newGradingScene(options: Options = {}): Promise<GradingScene> {
  const { kind = 'quizzes', lastNames = ['Abel', 'Banach'], fixtures = createFixtures() } = options;
  const title = options.title ?? `Groups ${Math.random().toString(36).slice(2, 8)}`;
  const courseId = await fixtures.newCourse();
  const newGrader = () =>
    fixtures.newStudent({ first_name: 'Emmy', last_name: 'Noether', role: 'instructor' });
  const [itemId, graders] = await Promise.all([
    newItem(fixtures, kind, courseId, title),
    Promise.all(Array.from({ length: options.graders ?? 1 }, newGrader)),
  ]);
  for (const each of graders) await fixtures.assignInstructor(courseId, each);
  const [grader] = graders as [Student];
  const ids = { classId: itemId, quizId: itemId, courseId };
  const students = await submitAll(fixtures, kind, ids, lastNames, options.file ?? coloredSheet);
  const item = `${grading}/${kind}/${itemId}`;
  const rubric = await makeRubric(grader, item, options.rubric ?? defaultRubric);
  const { data } = (await grader.get(`${item}/submissions?per_page=200`)).body;
  return {
    ...{ kind, courseId, itemId, title, grader, graders, students, ...rubric },
    submissions: data.map(({ id, student }: { id: number; student: { name: string } }) => ({
      id,
      studentName: student.name,
    })),
    path: `/grading/${kind}/${itemId}`,
    deskPath: (position) => `/grading/${kind}/${itemId}/submissions/${data[position].id}`,
    detail: async (id) => (await grader.get(`${grading}/${kind}/submissions/${id}`)).body.data,
  };
}

async function newItem(fixtures: Fixtures, kind: Kind, courseId: number, title: string): Promise<number> {
  if (kind === 'quizzes') return fixtures.newQuiz(courseId, { title, total_grade_for_quiz_pdf: '10' });
  const classId = await fixtures.newClass(courseId, title);
  await fixtures.newAssignment(classId);
  return classId;
}

/** Submits one after another, so that the queue is in the order of the names. */
async function submitAll(
  fixtures: Fixtures,
  kind: Kind,
  ids: Omit<Scene, 'student'>,
  lastNames: string[],
  fileOf: NonNullable<Options['file']>,
): Promise<Student[]> {
  const students = await Promise.all(
    lastNames.map(async (last_name) => {
      const student = await fixtures.newStudent({ first_name: 'Ada', last_name });
      await fixtures.enroll(ids.courseId, student);
      return student;
    }),
  );
  for (const [position, student] of students.entries()) {
    const { name, bytes } = fileOf(position);
    const file = new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });
    const submit = () =>
      kind === 'quizzes'
        ? fixtures.submitQuiz({ ...ids, student }, { file })
        : fixtures.submitHomework({ ...ids, student }, [file]);
    await waitFor(async () => [200, 201].includes((await submit()).status));
  }
  return students;
}

async function makeRubric(grader: HttpClient, item: string, items: RubricItem[]) {
  if (items.length === 0) return { rubricItems: [], rubricRevision: 0 };
  const body = { mode: 'subtract', max_points: 10, items };
  const made = await waitFor(async () => {
    const answer = await grader.put(`${item}/rubric`, body, { 'if-none-match': '*' });
    return answer.status === 201 && answer;
  });
  return { rubricItems: made.body.data.items, rubricRevision: made.body.data.revision };
}

/** Returns an item's grades in the gradebook, by student name. */
export async function gradebookOf({ grader, courseId, kind }: GradingScene): Promise<Record<string, number>> {
  const { data } = (await grader.get(`${grading}/courses/${courseId}/gradebook?per_page=200`)).body;
  const wanted = kind === 'quizzes' ? 'quiz' : 'homework';
  const found: [string, number][] = data.flatMap(
    (row: { student_name: string; grades: { kind: string; grade: number }[] }) =>
      row.grades.filter((each) => each.kind === wanted).map(({ grade }) => [row.student_name, grade]),
  );
  return Object.fromEntries(found);
}
