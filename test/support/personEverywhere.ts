import { randomInt } from 'node:crypto';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { archiveOf, schoolOf } from '../../services/courses/test/oneRosterArchive.ts';
import { type Fixtures, type Student, unique } from './fixtures.ts';
import { form, pdf } from './httpClient.ts';
import { waitFor } from './waitFor.ts';

/** A student whose name, address and numbers are in every place that stores personal data. */
export interface PersonEverywhere {
  student: Student;
  courseId: number;
  classId: number;
  quizId: number;
  /** Texts that occur nowhere else: parts of name, address, mobile number and sourcedId, in lower case. */
  marks: string[];
  /** The names of the five files: current and replaced files of homework and quiz. */
  fileNames: string[];
}

const consumers = ['courses', 'courses-webhooks', 'courses-mail', 'homework', 'quiz'] as const;
const log = createLogger('person everywhere', 'silent');

/** Creates a student with submissions, replaced files, gradings with comments, webhook deliveries and an import. */
export async function createPersonEverywhere(fixtures: Fixtures): Promise<PersonEverywhere> {
  const mark = unique();
  const mobile = `+43660${randomInt(1_000_000, 9_999_999)}`;
  const name = {
    first_name: `Zenobia${mark}`,
    last_name: `Quill${mark}`,
    email: `z.${mark}@test.example`,
    mobile,
  };
  const admin = await fixtures.asAdmin();
  // No process listens there, so that every delivery stays pending.
  await admin.post('/api/v3/admin/webhooks', { url: 'http://127.0.0.1:9/hook', event_types: ['*'] });

  const sourcedId = `source-${mark}-u1`;
  const school = schoolOf(unique(), 1);
  const [row] = school.users;
  if (!row) throw new Error('the school has no student');
  Object.assign(row, { sourcedId, givenName: name.first_name, familyName: name.last_name });
  Object.assign(row, { email: name.email, username: name.email, sms: mobile });
  for (const enrollment of school.enrollments) enrollment.userSourcedId = sourcedId;

  const student = await fixtures.newStudent(name);
  const courseId = await fixtures.newCourse();
  const [classId, quizId] = [await fixtures.newClass(courseId), await fixtures.newQuiz(courseId)];
  await fixtures.newAssignment(classId);
  await fixtures.enroll(courseId, student);
  await importTwice(fixtures, await archiveOf(school));

  const scene = { student, courseId, classId, quizId };
  // A comment at the end, because a PDF encodes the text of its pages.
  const file = async (what: string) =>
    new File([await pdf(), `\n% ${name.first_name} ${name.email}\n`], `${name.first_name} ${what}.pdf`);
  const sent = {
    homework: [await file('essay draft'), await file('essay'), await file('appendix')],
    quiz: [await file('sheet one'), await file('sheet two')],
  };
  await expectOk(fixtures.submitHomework(scene, sent.homework.slice(0, 1)), 201);
  const submission = await expectOk(fixtures.submitHomework(scene, sent.homework.slice(1)), 201);
  for (const sheet of sent.quiz) {
    const fields = { file: sheet, course_id: String(courseId), quiz_id: String(quizId), duration: '30' };
    const start = `${new Date().toISOString().slice(0, 19)}Z`;
    const upload = () =>
      student.post('/api/v3/quiz/submit-pdf', form({ ...fields, start_at: start }), {
        'Idempotency-Key': `${mark}-${crypto.randomUUID()}`,
      });
    await expectOk(upload(), 200);
  }

  for (const rating of [6, 7]) {
    const comment = `${name.first_name} has improved (${rating})`;
    const path = `/api/v3/admin/homeworks/grade/${submission.data.id}`;
    await expectOk(admin.post(path, { rating, comment }), 200);
  }
  const [sheet] = await fixtures.quizSubmissions(quizId);
  await expectOk(
    admin.post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, { grade: 8, total_grade: 10 }),
    200,
  );
  for (const item of [`homeworks/${classId}`, `quizzes/${quizId}`])
    await expectOk(
      admin.put(`/api/v3/grading/${item}/allowances/${student.id}`, { note: `${name.first_name} is ill` }),
      200,
    );
  await fixtures.waitForGrades(student, 2);
  const fileNames = [...sent.homework, ...sent.quiz].map((each) => each.name);
  return { ...scene, marks: [mark, mobile.slice(1)], fileNames };
}

// The first import adopts the account; the plan of the second one stays.
async function importTwice(fixtures: Fixtures, archive: Buffer): Promise<void> {
  const admin = await fixtures.asAdmin();
  const send = () =>
    admin.post(
      '/api/v3/admin/import?dry_run=1',
      form({ file: new Blob([new Uint8Array(archive)]) }, 'school.zip'),
    );
  const { data } = await expectOk(send(), 200);
  const { data: started } = await expectOk(admin.post('/api/v3/admin/import', { token: data.token }), 200);
  await waitFor(
    async () => (await admin.get(`/api/v3/admin/import/${started.id}`)).body.data.state === 'done',
  );
  await expectOk(send(), 200);
}

async function expectOk(answer: ReturnType<Student['post']>, expected: number) {
  const { status, body } = await answer;
  if (status !== expected) throw new Error(`returned ${status}: ${JSON.stringify(body)}`);
  return body;
}

/**
 * Turns events into dead letters of every consumer: changes to this person and to another that no consumer can apply,
 * and a message with the address that is not an event.
 */
export async function createDeadLetters(eventsUrl: string, { student }: PersonEverywhere): Promise<void> {
  await withBroker(eventsUrl, async (broker) => {
    const { id, firstName, lastName, email } = student;
    const state = { role: 'user', is_blocked: false, revision: 'broken' as unknown as number };
    const person = { user_id: id, first_name: firstName, last_name: lastName, email, ...state };
    const other = { user_id: 999_999, first_name: 'Other', last_name: 'Person', email: null, ...state };
    for (const data of [person, other])
      await broker.publish({
        event: createEvent('auth', 'user.changed.v1', 'users/1', data),
        traceparent: null,
      });
    const unreadable = { id: crypto.randomUUID(), type: 'user.changed.v1', address: email };
    await broker.publish({ event: unreadable as never, traceparent: null });
    for (const consumer of ['courses', 'homework', 'quiz'] as const)
      await waitFor(async () => (await broker.deadLetters.count(consumer)) >= 3, 120_000);
  });
}

/** The bodies of all dead letters. */
export async function readDeadLetters(eventsUrl: string): Promise<string[]> {
  const bodies: string[] = [];
  await withBroker(eventsUrl, async (broker) => {
    const changes = {
      event<E>(event: E): E {
        bodies.push(JSON.stringify(event));
        return event;
      },
      deletesUnreadable(raw: string) {
        bodies.push(raw);
        return false;
      },
    };
    for (const consumer of consumers) for await (const _ of broker.deadLetters.rewrite(consumer, changes));
  });
  return bodies;
}

async function withBroker(
  url: string,
  work: (broker: Awaited<ReturnType<typeof openBroker>>) => Promise<void>,
): Promise<void> {
  const broker = await openBroker({ url, log });
  try {
    await waitFor(() => broker.depths('quiz').then(() => true));
    await work(broker);
  } finally {
    await broker.close();
  }
}
