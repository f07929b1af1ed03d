import { type Student, unique } from '@gradeway/test/fixtures';
import { form, type HttpClient, pdf } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { inject } from 'vitest';
import { archiveOf, schoolOf } from '../../services/courses/test/oneRosterArchive.ts';
import {
  asAdmin,
  callAs,
  enroll,
  logIn,
  newAccount,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
  waitForGrades,
} from './fixtures.ts';

/** Every caller, with the role that its valid token has. */
export const roleOf = {
  none: undefined,
  // A parent cannot log in (D8): the token is from the time when the account was a student's.
  parent: undefined,
  blocked: undefined,
  ended: undefined,
  instructor: 'instructor',
  other: 'user',
  admin: 'admin',
  student: 'user',
} as const;

export type Caller = keyof typeof roleOf;

/** A client of each caller. `student` owns the records of the scene, `other` is another student. */
export async function newCallers(student: Student): Promise<Record<Caller, HttpClient>> {
  const [parent, blocked, ended, other, instructor, admin] = await Promise.all([
    newStudent(),
    newStudent(),
    newStudent(),
    newStudent(),
    newStudent({ role: 'instructor' }),
    newStudent({ role: 'admin' }),
  ]);
  await confirmPassword(admin);
  await admin.patch(`/api/v3/admin/users/${parent.id}`, { role: 'parent' });
  await admin.patch(`/api/v3/admin/users/${blocked.id}`, { is_blocked: true });
  await ended.post('/api/v3/logout');
  for (const client of [parent, blocked, ended])
    await waitFor(async () => (await client.get('/api/v3/grades')).status === 401);
  return { none: callAs(), parent, blocked, ended, instructor, other, admin, student };
}

/** An installation may require it for sensitive requests (`REAUTHENTICATION`). */
export const confirmPassword = (account: Student) =>
  account.post('/api/v3/reauthenticate', { password: account.password });

export type RoleScene = Awaited<ReturnType<typeof newRoleScene>>;

/** A record of every kind. The names of everything that the student may read contain `mark`. */
export async function newRoleScene() {
  const mark = unique();
  const [student, spare, courseId, spareCourseId] = await Promise.all([
    newStudent({ email: `${mark}@test.example` }),
    newAccount(),
    newCourse(`Course ${mark}`),
    newCourse(),
  ]);
  await Promise.all([enroll(courseId, student), newDevice(student, `Phone ${mark}`)]);
  const [pending, graded] = await Promise.all([newTasks(courseId, mark), newTasks(courseId, mark)]);
  const submitted = await gradedSubmissions({ ...graded, courseId, student, mark });
  const [webhook, importId, erasedId] = await Promise.all([newWebhook(), newImport(), newErasure()]);
  const parent = await newAccount({ role: 'parent' });
  const people = { student, spare, parent, erasedId };
  return { mark, ...people, courseId, spareCourseId, pending, graded, submitted, webhook, importId };
}

async function newTasks(courseId: number, mark: string) {
  const classId = await newClass(courseId, `Class ${mark}`);
  await newAssignment(classId);
  return { classId, quizId: await newQuiz(courseId, { title: `Quiz ${mark}` }) };
}

type Graded = { classId: number; quizId: number; courseId: number; student: Student; mark: string };

async function gradedSubmissions({ mark, ...scene }: Graded) {
  const admin = await asAdmin();
  const homework = await submitHomework(scene, [await pdf(`${mark}.pdf`)]);
  await submitQuiz(scene);
  const [sheet] = await quizSubmissions(scene.quizId);
  await admin.post(`/api/v3/admin/homeworks/grade/${homework.body.data.id}`, { rating: 7 });
  await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, { grade: 7, total_grade: 10 });
  await waitForGrades(scene.student, 2);
  return {
    homeworkId: homework.body.data.id as number,
    receipt: homework.headers.get('submission-receipt'),
    sheetId: sheet.id as number,
    sheetUrl: new URL(sheet.pdf_answer_url),
  };
}

/** Logs in once from a new device of the account. Returns its id. */
export async function newDevice({ id, email, password }: Omit<Student, keyof HttpClient>, name = unique()) {
  await logIn(email, password, { device_token: unique(), device_type: 'app', 'device-name': name });
  const { body } = await (await asAdmin()).get(`/api/v3/admin/users/${id}/devices?per_page=100`);
  const device = body.data.find((each: { device_name: string }) => each.device_name === name);
  return device.id as number;
}

/**
 * An address where no test listens. An installed system accepts only public addresses, and perhaps has no
 * DNS: this one is of example.com, whose certificate has no addresses, so that TLS fails before anything is sent.
 */
export const webhookUrl = inject('system').isLocal ? 'https://127.0.0.1:9/' : 'https://93.184.215.14/';

/** A subscription with a delivery. */
export async function newWebhook() {
  const admin = await asAdmin();
  const { body } = await admin.post('/api/v3/admin/webhooks', {
    url: webhookUrl,
    event_types: ['class.deleted.v1'],
  });
  const id: number = body.data.id;
  const delivery = await admin.post(`/api/v3/admin/webhooks/${id}/test`);
  return { id, deliveryId: delivery.body.data.id as number };
}

export const archiveForm = async () =>
  form({ file: new Blob([new Uint8Array(await archiveOf(schoolOf(unique(), 1)))]) }, 'archive.zip');

async function newImport(): Promise<string> {
  const { body } = await (await asAdmin()).post('/api/v3/admin/import?dry_run=1', await archiveForm());
  return body.data.id;
}

async function newErasure(): Promise<number> {
  const { id } = await newAccount();
  await (await asAdmin()).post(`/api/v3/admin/users/${id}/erasure`);
  return id;
}

/** Homework that the student has submitted for a separate class. */
export async function newSubmission({ student, courseId }: Pick<RoleScene, 'student' | 'courseId'>) {
  const classId = await newClass(courseId);
  await newAssignment(classId);
  const { body } = await submitHomework({ student, classId });
  return body.data as { id: number; files: { id: number }[] };
}
