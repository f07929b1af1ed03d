import { inspect } from 'node:util';
import { Fixtures, unique } from '@gradeway/test/fixtures';
import { form, type HttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { startWebhookReceiver } from '@gradeway/test/webhookReceiver';
import { expect } from 'vitest';
import { archiveOf, schoolOf } from '../../services/courses/test/oneRosterArchive.ts';
import type { LoadParts } from '../faults/table/load.ts';
import type { SystemUnderTest } from '../faults/table/system.ts';

export interface SchoolDays {
  /** Lives through one day; a client of a load (load.ts) repeats this. */
  live(shared: LoadParts): Promise<void>;
  /** Waits until this many more days have begun and ended. */
  pass(count: number): Promise<void>;
  /** The reasons why days could not be completed. */
  failures: string[];
  close(): Promise<void>;
}

/**
 * Days in the life of a school: accounts, courses, enrollments, logins, uploads, grades, lists, and the events that carry
 * them to the other services and to a receiver of webhooks.
 */
export async function openSchoolDays(system: SystemUnderTest): Promise<SchoolDays> {
  const receiver = await startWebhookReceiver();
  const admin = await new Fixtures(system).asAdmin();
  const event_types = ['user.changed.v1', 'enrollment.changed.v1', 'quiz.submission.graded.v1'];
  const subscription = {
    url: `${receiver.url}/events`,
    event_types: [...event_types, 'homework.submission.graded.v1'],
  };
  expect((await admin.post('/api/v3/admin/webhooks', subscription)).status).toBe(201);
  const failures: string[] = [];
  let [begun, ended] = [0, 0];

  const waitForWebhook = (type: string, key: string, id: number) =>
    waitFor(() =>
      receiver.received.some(({ body }) => {
        const message = JSON.parse(body);
        return message.type === type && message.data[key] === id;
      }),
    );

  async function liveOneDay(fixtures: Fixtures): Promise<void> {
    const client = await fixtures.asAdmin();
    const scene = await fixtures.newScene();
    const { student, classId, quizId } = scene;
    expect((await student.get('/api/v3/courses')).body.data).toMatchObject([
      { id: scene.courseId, paid: true },
    ]);
    expect((await fixtures.submitQuiz(scene)).status).toBe(200);
    const homework = await fixtures.submitHomework(scene);
    const name = `Eve ${student.lastName}`;
    const user = `/api/v3/admin/users/${student.id}`;
    expect((await client.patch(user, { first_name: 'Eve' })).status).toBe(200);
    const [sheet] = await waitFor(async () => {
      const submissions = await fixtures.quizSubmissions(quizId);
      return submissions[0]?.student_name === name && submissions;
    });
    await waitFor(async () => {
      const { body } = await client.get(`/api/v3/admin/homeworks/${classId}`);
      return body.submissions[0].student_name === name;
    });
    const [quizGrade, homeworkGrade] = [
      await client.post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, { grade: 7, total_grade: 10 }),
      await client.post(`/api/v3/admin/homeworks/grade/${homework.body.data.id}`, { rating: 8 }),
    ];
    expect([quizGrade.status, homeworkGrade.status]).toEqual([200, 200]);
    await fixtures.waitForGrades(student, 2);
    await waitForWebhook('user.changed.v1', 'user_id', student.id);
    await waitForWebhook('enrollment.changed.v1', 'user_id', student.id);
    await waitForWebhook('quiz.submission.graded.v1', 'submission_id', sheet.id);
    await waitForWebhook('homework.submission.graded.v1', 'submission_id', homework.body.data.id);
  }

  return {
    failures,
    async live({ ledger }) {
      begun += 1;
      const check = (method: string, url: URL, answer: Parameters<typeof ledger.countAnswer>[1]) =>
        ledger.countAnswer(`${method} ${url.pathname}`, answer);
      await liveOneDay(new Fixtures(system, { check })).catch((error) => failures.push(inspect(error)));
      ended += 1;
    },
    async pass(count) {
      const target = begun + count;
      await waitFor(() => ended >= target, 120_000);
    },
    close: receiver.close,
  };
}

/** Plans a OneRoster import in a dry run. Returns a function that commits the plan, and the status of its response. */
export async function planImport(admin: HttpClient): Promise<() => Promise<number>> {
  const archive = new Blob([new Uint8Array(await archiveOf(schoolOf(unique(), 3)))]);
  const plan = await admin.post('/api/v3/admin/import?dry_run=1', form({ file: archive }, 'archive.zip'));
  expect([plan.status, plan.body.data.state]).toEqual([200, 'planned']);
  return async () => (await admin.post('/api/v3/admin/import', { token: plan.body.data.token })).status;
}
