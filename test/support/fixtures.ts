import { randomBytes } from 'node:crypto';
import {
  type Answer,
  createHttpClient,
  form,
  type HttpClient,
  type HttpClientOptions,
  pdf,
} from './httpClient.ts';
import { waitFor } from './waitFor.ts';

interface Account {
  id: number;
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

export interface Student extends Account, HttpClient {}

/** A course with a class that has an assignment, a quiz, and an enrolled student who has paid. */
export interface Scene {
  courseId: number;
  classId: number;
  quizId: number;
  student: Student;
}

type Fields = Parameters<typeof form>[0];

interface System {
  baseUrl: string;
  adminEmail: string;
  adminPassword: string;
}

/** A random string for names, titles and addresses that no other test uses. */
export const unique = (): string => randomBytes(5).toString('hex');

/** The current time as clients send it: whole seconds, UTC. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

type Options = Pick<HttpClientOptions, 'headers' | 'check'>;

/**
 * Creates accounts, courses and submissions through the HTTP API of a running system. The methods are arrow functions,
 * so that they can be imported without the object.
 */
export class Fixtures {
  readonly #system: System;
  readonly #options: Options;
  #admin: Promise<HttpClient> | undefined;

  constructor(system: System, options: Options = {}) {
    this.#system = system;
    this.#options = options;
  }

  callAs = (token?: string): HttpClient =>
    createHttpClient({ ...this.#options, baseUrl: this.#system.baseUrl, token });

  logIn = (email: string, password: string, headers?: Record<string, string>): Promise<Answer> =>
    this.callAs().post('/api/v3/login', { email, password }, headers);

  /** The administrator, logged in once and re-authenticated, which an installation may require (`REAUTHENTICATION`). */
  asAdmin = (): Promise<HttpClient> => {
    this.#admin ??= this.#openAdminSession().catch((error) => {
      this.#admin = undefined;
      throw error;
    });
    return this.#admin;
  };

  newAccount = async (properties: Record<string, unknown> = {}): Promise<Account> => {
    const mark = unique();
    const account = {
      first_name: 'Ada',
      last_name: `L${mark}`,
      email: `${mark}@test.example`,
      password: `password ${mark}`,
      role: 'user',
      ...properties,
    };
    const id = await this.#create('/api/v3/admin/users', account);
    const { email, password, first_name: firstName, last_name: lastName } = account;
    return { id, email, password, firstName, lastName };
  };

  newStudent = async (properties: Record<string, unknown> = {}): Promise<Student> => {
    const account = await this.newAccount(properties);
    return { ...account, ...(await this.#openSession(account.email, account.password)) };
  };

  newCourse = (title = `Course ${unique()}`): Promise<number> =>
    this.#create('/api/v3/admin/courses', { title });

  newClass = (courseId: number, title = `Class ${unique()}`): Promise<number> =>
    this.#create(`/api/v3/admin/courses/${courseId}/classes`, { title });

  newQuiz = (courseId: number, fields: Fields = {}): Promise<number> => {
    const quiz = { title: `Quiz ${unique()}`, course_id: String(courseId), ...fields };
    return this.#create('/api/v3/quiz/pdf-quizzes', form(quiz));
  };

  newAssignment = async (classId: number, fields: Fields = {}): Promise<void> => {
    const { status } = await (await this.asAdmin()).put(`/api/v3/admin/homeworks/${classId}`, form(fields));
    if (status !== 200 && status !== 201) throw new Error(`creating the assignment returned ${status}`);
  };

  /** Retries: right after a start, courses might not reach auth yet. */
  enroll = async (courseId: number, { id }: Pick<Account, 'id'>, paid = true): Promise<void> => {
    const admin = await this.asAdmin();
    const path = `/api/v3/admin/courses/${courseId}/students/${id}`;
    await waitFor(async () => (await admin.put(path, { paid })).status === 200);
  };

  assignInstructor = async (courseId: number, { id }: Pick<Account, 'id'>): Promise<void> => {
    const admin = await this.asAdmin();
    const path = `/api/v3/admin/courses/${courseId}/instructors/${id}`;
    await waitFor(async () => (await admin.put(path)).status === 200);
  };

  newScene = async (): Promise<Scene> => {
    const courseId = await this.newCourse();
    const [classId, quizId, student] = await Promise.all([
      this.newClass(courseId),
      this.newQuiz(courseId),
      this.newStudent(),
    ]);
    await Promise.all([this.newAssignment(classId), this.enroll(courseId, student)]);
    return { courseId, classId, quizId, student };
  };

  /** Uploads an answer sheet for the quiz of a scene; `change` overrides fields, and undefined omits one. */
  submitQuiz = async (
    { student, courseId, quizId }: Pick<Scene, 'student' | 'courseId' | 'quizId'>,
    change: Fields = {},
    headers?: Record<string, string>,
  ): Promise<Answer> => {
    const file = 'file' in change ? change.file : await pdf();
    const fields = { course_id: String(courseId), quiz_id: String(quizId), duration: '30', start_at: now() };
    return student.post('/api/v3/quiz/submit-pdf', form({ ...fields, ...change, file }), headers);
  };

  /** Uploads homework for the class of a scene. */
  submitHomework = async (
    { student, classId }: Pick<Scene, 'student' | 'classId'>,
    files?: (string | Blob)[],
  ): Promise<Answer> =>
    student.post(`/api/v3/homeworks/${classId}/submissions`, form({ files: files ?? [await pdf()] }));

  /** The submissions of a quiz, as the administrator reads them. */
  quizSubmissions = async (quizId: number): Promise<Answer['body'][]> =>
    (await (await this.asAdmin()).get(`/api/v3/quiz/pdf-quizzes/${quizId}`)).body.data.submissions;

  /** Waits until the gradebook, which events update, shows this many grades of a student. */
  waitForGrades = (student: HttpClient, count: number): Promise<Answer['body'][]> =>
    waitFor(async () => {
      const { data } = (await student.get('/api/v3/grades')).body;
      return data.length === count && data;
    });

  async #openSession(email: string, password: string): Promise<HttpClient> {
    const { status, body } = await this.logIn(email, password);
    if (status !== 200) throw new Error(`the login of ${email} returned ${status}`);
    return this.callAs(body.access_token);
  }

  async #openAdminSession(): Promise<HttpClient> {
    const { adminEmail, adminPassword } = this.#system;
    const admin = await this.#openSession(adminEmail, adminPassword);
    const { status } = await admin.post('/api/v3/reauthenticate', { password: adminPassword });
    if (status !== 200) throw new Error(`the re-authentication of ${adminEmail} returned ${status}`);
    return admin;
  }

  async #create(path: string, body: unknown): Promise<number> {
    const { status, body: created } = await (await this.asAdmin()).post(path, body);
    if (status !== 201) throw new Error(`POST ${path} returned ${status}: ${JSON.stringify(created)}`);
    return created.data.id;
  }
}
