import { type Fixtures, type Student, unique } from '@gradeway/test/fixtures';
import { plainPdf } from '@gradeway/test/plainPdf';
import { waitFor } from '@gradeway/test/waitFor';
import type { Locator, Page } from 'playwright-core';
import { createFixtures, grading } from './gradingScene.ts';

/** A course of a teacher, with students and without work. */
export interface CourseScene {
  courseId: number;
  title: string;
  teacher: Student;
  /** One for each last name, all with the first name Ada. */
  students: Student[];
  fixtures: Fixtures;
}

export async function newCourseScene(
  lastNames: string[] = ['Abel'],
  fixtures = createFixtures(),
): Promise<CourseScene> {
  const title = `Course ${unique()}`;
  const [courseId, teacher, ...students] = await Promise.all([
    fixtures.newCourse(title),
    fixtures.newStudent({ first_name: 'Emmy', last_name: 'Noether', role: 'instructor' }),
    ...lastNames.map((last_name) => fixtures.newStudent({ first_name: 'Ada', last_name })),
  ]);
  await fixtures.assignInstructor(courseId, teacher);
  for (const student of students) await fixtures.enroll(courseId, student);
  return { courseId, title, teacher, students, fixtures };
}

/** Adds a grader to the course. */
export async function newGrader({ courseId, teacher, fixtures }: CourseScene): Promise<Student> {
  const grader = await fixtures.newStudent({ first_name: 'Sofia', role: 'instructor' });
  await teacher.put(`${grading}/courses/${courseId}/instructors/${grader.id}`, { role: 'grader' });
  return grader;
}

/** An item of the course. */
export interface NewItem {
  kind: 'quizzes' | 'homeworks';
  id: number;
  title: string;
  /** The path of the item in the application. */
  path: string;
}

const described = (kind: NewItem['kind'], id: number, title: string): NewItem => ({
  ...{ kind, id, title, path: `/grading/${kind}/${id}` },
});

/** Creates a published quiz as a teacher does, with these settings. */
export async function newQuiz({ courseId, teacher }: CourseScene, settings: object = {}): Promise<NewItem> {
  const title = `Quiz ${unique()}`;
  const body = { course_id: courseId, title, published: true, total_grade: 10, ...settings };
  const { data } = await created(() => teacher.post(`${grading}/quizzes`, body));
  return described('quizzes', data.id, title);
}

/** Creates published homework as a teacher does, with these settings. */
export async function newHomework(scene: CourseScene, settings: object = {}): Promise<NewItem> {
  const { courseId, teacher, fixtures } = scene;
  const title = `Homework ${unique()}`;
  const id = await fixtures.newClass(courseId, title);
  await created(() => teacher.put(`${grading}/homeworks/${id}`, { published: true, ...settings }));
  return described('homeworks', id, title);
}

/** Retries: a service might not know yet that the teacher has been assigned. */
async function created(request: () => ReturnType<Student['post']>) {
  const answer = await waitFor(async () => {
    const { status, body } = await request();
    if (status !== 201) throw new Error(`it was answered with ${status}: ${JSON.stringify(body)}`);
    return { body };
  });
  return answer.body;
}

/** Grades a submission through the API, without an open page. */
export async function gradeAs(
  person: Student,
  { kind }: NewItem,
  submissionId: number,
  grade: number,
): Promise<void> {
  const path = `${grading}/${kind}/submissions/${submissionId}`;
  const { status, body } = await person.put(path, { grade }, { 'if-match': '*' });
  if (status !== 200) throw new Error(`the grading was answered with ${status}: ${JSON.stringify(body)}`);
}

/** Lists the submissions of an item in the order of the queue, as a member of its team reads them. */
export async function submissionsOf(
  person: Student,
  { kind, id }: NewItem,
): Promise<{ id: number; student: { id: number | null; name: string; email: string } }[]> {
  return (await person.get(`${grading}/${kind}/${id}/submissions`)).body.data;
}

/** A PDF to choose in a file input. */
export const pdfFile = (name = 'answers.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(plainPdf([{}])),
});

/** A student's card of a quiz or homework. */
export const cardOf = (page: Page, { title }: { title: string }): Locator =>
  page.getByRole('article', { name: title });

/** A time the given number of minutes from now, in the API's format. */
export const inMinutes = (minutes: number): string =>
  `${new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19)}Z`;
