import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Answer, type Caller, callAs, form, pdf } from './api.ts';
import { waitFor } from './waitFor.ts';

export interface Account {
  id: number;
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

export interface Student extends Account, Caller {}

/** What no other test has: names, titles and addresses are made of it. */
export const unique = (): string => randomBytes(5).toString('hex');

export const logIn = (
  email: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<Answer> => callAs().post('/api/v3/login', { email, password }, headers);

let admin: Promise<Caller> | undefined;

/** The administrator, logged in once for each test file. */
export function asAdmin(): Promise<Caller> {
  admin ??= (async () => {
    const { adminEmail, adminPassword } = inject('system');
    return callAs((await logIn(adminEmail, adminPassword)).body.access_token);
  })();
  return admin;
}

export async function newAccount(properties: Record<string, unknown> = {}): Promise<Account> {
  const id = unique();
  const account = {
    email: `${id}@test.example`,
    password: `password ${id}`,
    firstName: 'Ada',
    lastName: `L${id}`,
  };
  const { body } = await (await asAdmin()).post('/api/v3/admin/users', {
    ...{ first_name: account.firstName, last_name: account.lastName, email: account.email },
    ...{ password: account.password, role: 'user' },
    ...properties,
  });
  return { ...account, id: body.data.id };
}

export async function newStudent(properties: Record<string, unknown> = {}): Promise<Student> {
  const account = await newAccount(properties);
  const { body } = await logIn(account.email, account.password);
  return { ...account, ...callAs(body.access_token) };
}

/** Somebody with another role, logged in. */
export const newUser = (role: string): Promise<Student> => newStudent({ role });

export async function newCourse(title = `Course ${unique()}`): Promise<number> {
  return (await (await asAdmin()).post('/api/v3/admin/courses', { title })).body.data.id;
}

export async function newClass(courseId: number, title = `Class ${unique()}`): Promise<number> {
  return (await (await asAdmin()).post(`/api/v3/admin/courses/${courseId}/classes`, { title })).body.data.id;
}

export async function enroll(courseId: number, student: Pick<Account, 'id'>, paid = true): Promise<void> {
  await (await asAdmin()).put(`/api/v3/admin/courses/${courseId}/students/${student.id}`, { paid });
}

export async function newQuiz(courseId: number, fields: Record<string, string | Blob> = {}): Promise<number> {
  const body = form({ title: `Quiz ${unique()}`, course_id: String(courseId), ...fields });
  return (await (await asAdmin()).post('/api/v3/quiz/pdf-quizzes', body)).body.data.id;
}

export async function newAssignment(
  classId: number,
  fields: Record<string, string | Blob> = {},
): Promise<void> {
  await (await asAdmin()).put(`/api/v3/admin/homeworks/${classId}`, form(fields));
}

export interface Scene {
  courseId: number;
  classId: number;
  quizId: number;
  student: Student;
}

/** A course with a class that has an assignment, a quiz, and a student who is enrolled and has paid. */
export async function newScene(): Promise<Scene> {
  const courseId = await newCourse();
  const [classId, quizId, student] = await Promise.all([newClass(courseId), newQuiz(courseId), newStudent()]);
  await Promise.all([newAssignment(classId), enroll(courseId, student)]);
  return { courseId, classId, quizId, student };
}

export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** Uploads an answer sheet for the scene's quiz; `change` overrides fields, undefined leaves one out. */
export async function submitQuiz(
  { student, courseId, quizId }: Pick<Scene, 'student' | 'courseId' | 'quizId'>,
  change: Record<string, string | Blob | (string | Blob)[] | undefined> = {},
): Promise<Answer> {
  const fields = { course_id: String(courseId), quiz_id: String(quizId), duration: '30', start_at: now() };
  return student.post('/api/v3/quiz/submit-pdf', form({ file: await pdf(), ...fields, ...change }));
}

/** Uploads homework for the scene's class. */
export async function submitHomework(
  { student, classId }: Pick<Scene, 'student' | 'classId'>,
  files?: (string | Blob)[],
): Promise<Answer> {
  return student.post(`/api/v3/homeworks/${classId}/submissions`, form({ files: files ?? [await pdf()] }));
}

/** The submissions of the scene's quiz, as the administrator sees them. */
export async function quizSubmissions(quizId: number) {
  return (await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes/${quizId}`)).body.data.submissions;
}

/** Waits until a student's grades are what events have brought. */
export async function waitForGrades(student: Caller, count: number): Promise<Answer['body'][]> {
  let grades: Answer['body'][] = [];
  await waitFor(async () => {
    grades = (await student.get('/api/v3/grades')).body.data;
    return grades.length === count;
  });
  return grades;
}
