import { randomBytes } from 'node:crypto';
import type { EventData, EventType } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { waitFor } from '@gradeway/test/waitFor';
import {
  type Account,
  type CoursesService,
  quizGraded,
  type Student,
  startCoursesService,
} from './coursesService.ts';
import { itemState, quizSubmitted } from './itemEvents.ts';
import { type MailServer, startMailServer } from './mailServer.ts';

export const publicUrl = 'https://school.example';

/** Short delays, so that tests need not wait. */
export const mailEnv = {
  PUBLIC_URL: publicUrl,
  MAIL_FROM: 'School <school@school.example>',
  MAIL_PER_MINUTE: '100000',
  MAIL_GRADES_DELAY: '1s',
  MAIL_RETRY_SCHEDULE: '100ms',
  MAIL_GIVE_UP_AFTER: '10s',
  MAIL_TIMEOUT: '3s',
};

export interface MailSystem {
  courses: CoursesService;
  mail: MailServer;
  /** Publishes an event like another service, and waits until its messages are queued. */
  publish<Type extends EventType>(type: Type, data: EventData[Type]): Promise<CloudEvent>;
  /** Publishes the same event once more. */
  redeliver(event: CloudEvent): Promise<void>;
  close(): Promise<void>;
}

/** Starts the courses service with a real mail server. */
export async function startMailSystem(env: Record<string, string> = {}): Promise<MailSystem> {
  const mail = await startMailServer();
  const courses = await startCoursesService({ SMTP_URL: mail.url, ...mailEnv, ...env });
  const applied = 'SELECT FROM courses.inbox WHERE source = $1 AND event_id = $2';

  return {
    courses,
    mail,
    async publish(type, data) {
      const event = createEvent('test', type, 'records/1', data) as CloudEvent;
      await courses.publishEvent(event, { applied: false });
      const values = [`${event.source} to courses-mail`, event.id];
      await waitFor(async () => (await courses.database.query(applied, values)).length === 1);
      return event;
    },
    async redeliver(event) {
      await courses.publishEvent(event, { applied: false });
    },
    async close() {
      await courses.close();
      await mail.close();
    },
  };
}

let lastId = 1_000;
export const newId = (): number => {
  lastId += 1;
  return lastId;
};

const uniqueAddress = (): string => `person-${randomBytes(5).toString('hex')}@school.example`;

interface MailScene {
  courseId: number;
  quizId: number;
  student: Student & { email: string };
  submissionId: number;
  /** Publishes a state of the quiz to the gradebook. */
  item(revision: number, change?: Parameters<typeof itemState>[0]): Promise<void>;
  submitted(change?: Parameters<typeof quizSubmitted>[0]): Promise<CloudEvent>;
  /** Publishes a grading to the gradebook and to the mail queue. */
  graded(change?: Parameters<typeof quizGraded>[0]): Promise<CloudEvent>;
  released(): Promise<CloudEvent>;
  withheld(): Promise<CloudEvent>;
  newStudent(account?: Account & { paid?: boolean }): Promise<Student & { email: string }>;
  newInstructor(account?: Account): Promise<Student & { email: string }>;
  choose(person: Student, kinds: Record<string, string>, language?: string): Promise<void>;
}

/** A quiz in a new course, with a student who can hand in work. */
export async function newScene(
  { courses, publish }: MailSystem,
  { course = 'Algebra', title = 'Groups', account = {} as Account, quiz = {} } = {},
): Promise<MailScene> {
  const courseId = await courses.createCourse(course);
  const [quizId, submissionId] = [newId(), newId()];
  const newStudent = async (own: Account & { paid?: boolean } = {}) => {
    const email = own.email ?? uniqueAddress();
    return { ...(await courses.createStudent(courseId, { ...own, email })), email };
  };
  const student = await newStudent(account);
  const about = { course_id: courseId, quiz_id: quizId, submission_id: submissionId, student_id: student.id };
  const state = { id: quizId, course_id: courseId, title, ...quiz };
  const now = () => new Date().toISOString();
  const release = { item_id: quizId, course_id: courseId };
  const scene: MailScene = {
    ...{ courseId, quizId, submissionId, student, newStudent },
    async item(revision, change = {}) {
      await courses.sendEvent('quiz.changed.v1', itemState({ ...state, revision, ...change }));
    },
    submitted: (change = {}) =>
      toBoth('quiz.submission.submitted.v1', quizSubmitted({ ...about, submitted_at: now(), ...change })),
    graded: (change = {}) =>
      toBoth('quiz.submission.graded.v1', quizGraded({ ...about, graded_at: now(), ...change })),
    released: () => publish('quiz.grades.released.v1', { ...release, released_at: now() }),
    withheld: () => publish('quiz.grades.withheld.v1', { ...release, released_at: null }),
    async newInstructor(own = {}) {
      const email = uniqueAddress();
      return { ...(await courses.createInstructor([courseId], { ...own, email })), email };
    },
    async choose({ token }, kinds, language = 'en') {
      const { status } = await courses.request('PUT', '/api/v3/me/notifications', token, { kinds, language });
      if (status !== 200) throw new Error(`choosing notifications returned ${status}`);
    },
  };
  await scene.item(1);
  return scene;

  // One event reaches both queues, first that of the gradebook.
  async function toBoth<Type extends EventType>(type: Type, data: EventData[Type]): Promise<CloudEvent> {
    const event = await publish(type, data);
    const applied = 'SELECT FROM courses.inbox WHERE source = $1 AND event_id = $2';
    const values = [event.source, event.id];
    await waitFor(async () => (await courses.database.query(applied, values)).length === 1);
    return event;
  }
}

/** Waits until no message for a person is pending. */
export async function waitUntilSettled({ courses }: MailSystem, ...userIds: number[]): Promise<void> {
  const waiting = `
    SELECT FROM courses.mail_messages WHERE status = 'waiting' AND digest_id IS NULL AND kind <> 'digest'
      AND user_id = ANY($1)`;
  await waitFor(async () => (await courses.database.query(waiting, [userIds])).length === 0);
}

/** Waits until the releases and gradings so far have been examined. */
export async function waitUntilExamined({ courses }: MailSystem, itemId: number): Promise<void> {
  const waiting = 'SELECT FROM courses.mail_triggers WHERE item_id = $1';
  await waitFor(async () => (await courses.database.query(waiting, [itemId])).length === 0);
}
