import { randomUUID } from 'node:crypto';
import { signReceiptTime } from '@gradeway/shared/http/receiptTime';
import { serviceSecret } from '@gradeway/test/fakePeers';
import type { Answer } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGrader } from './graders.ts';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const minute = 60_000;
const second = 1_000;
/** The time this many minutes from now, to the second. */
const inMinutes = (minutes: number) => new Date(Math.floor(Date.now() / second) * second + minutes * minute);
const written = (time: Date) => time.toISOString().slice(0, 19);
const shown = (time: Date) => written(time).replace('T', ' ');

/** Another student of the same course. */
function classmateOf(scene: Scene, timePercent?: number): Scene {
  const studentId = scene.studentId + 1_000_000;
  const name = { firstName: 'Bob', lastName: 'Mate', email: '' };
  quiz.peers.users.push({ userId: studentId, ...name, role: 'user', isBlocked: false, revision: 1 });
  const enrollment = { paid: true, ...(timePercent !== undefined && { timePercent }) };
  quiz.peers.enrollments.set(`${studentId}/${scene.courseId}`, enrollment);
  return { ...scene, studentId, student: quiz.tokens.sign(studentId, 'user') };
}

async function allow(scene: Scene, given: object): Promise<Answer> {
  const teacher = newGrader(quiz, scene.courseId);
  const answer = await teacher.put(
    `/api/v3/grading/quizzes/${scene.quizId}/allowances/${scene.studentId}`,
    given,
  );
  if (answer.status !== 200) throw new Error(`not allowed: ${JSON.stringify(answer.body)}`);
  return answer;
}

interface Available {
  id: number;
  opens_at: string | null;
  closes_at: string | null;
  duration_minutes: number | null;
  state: string;
  seconds_until: number | null;
  remaining_seconds: number | null;
  late_rule: { per: string } | null;
}

async function available({ quizId, student }: Scene): Promise<Available> {
  const { body } = await quiz.get('/api/v3/quiz/available', student);
  return (body.data as Available[]).find(({ id }) => id === quizId) as Available;
}

/**
 * Uploads a sheet of an attempt that began this many minutes earlier, as if the gateway had received it at this time.
 */
async function uploadAt(
  scene: Scene,
  receivedAt: Date,
  { began = 1, duration = '30' } = {},
): Promise<Answer> {
  const requestId = randomUUID();
  const headers = {
    'x-request-id': requestId,
    'x-received-at': signReceiptTime(receivedAt.getTime(), requestId, serviceSecret),
  };
  const start_at = written(new Date(receivedAt.getTime() - began * minute));
  return quiz.upload(scene, { start_at, duration }, headers);
}

const refused = { status: 403, body: { message: 'QuizDurationExpired' } };
const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** The receipt of a student's upload, as recorded for repetitions. */
async function deadlineOf(scene: Scene): Promise<string | null> {
  const key = randomUUID();
  const start_at = written(new Date());
  await quiz.upload(scene, { start_at }, { 'idempotency-key': key });
  const [row] = await quiz.database.query<{ deadline: string | null }>(
    `SELECT result->>'deadline' AS deadline FROM quiz.idempotency_keys WHERE user_id = $1`,
    [scene.studentId],
  );
  return row?.deadline ?? null;
}

describe('a quiz closes for each student at their own time', () => {
  test('an allowance made after a quiz closed reopens it immediately, for only that student', async () => {
    const closed = inMinutes(-60);
    const scene = await quiz.setUp({ closes_at: `${written(closed)}Z` });
    const other = classmateOf(scene);
    expect(await quiz.upload(scene)).toMatchObject(refused);
    expect(await available(scene)).toMatchObject({ state: 'closed', closes_at: shown(closed) });

    const until = inMinutes(60);
    await allow(scene, { closes_at: until.toISOString() });
    expect(await available(scene)).toMatchObject({ state: 'open', closes_at: shown(until) });
    expect((await quiz.upload(scene)).status).toBe(200);
    expect(await available(other)).toMatchObject({ state: 'closed', closes_at: shown(closed) });
    expect(await quiz.upload(other)).toMatchObject(refused);
  });

  test("an upload exactly at a student's own closing time is accepted, and one a millisecond later is refused", async () => {
    const scene = await quiz.setUp({ closes_at: `${written(inMinutes(-60))}Z` });
    const until = inMinutes(-0.5);
    await allow(scene, { closes_at: until.toISOString() });
    expect((await uploadAt(scene, until)).status).toBe(200);
    expect(await uploadAt(scene, after(until, 1))).toMatchObject(refused);
  });

  test('moving the closing time keeps the extension, and the later time applies', async () => {
    const scene = await quiz.setUp({ closes_at: `${written(inMinutes(-60))}Z` });
    const extended = inMinutes(30);
    await allow(scene, { closes_at: extended.toISOString() });
    const move = (time: Date) =>
      quiz.patch(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, { closes_at: `${written(time)}Z` });
    await move(inMinutes(-30));
    expect((await available(scene)).closes_at).toBe(shown(extended));
    const later = inMinutes(90);
    await move(later);
    expect((await available(scene)).closes_at).toBe(shown(later));
    await move(inMinutes(-45));
    expect(await available(scene)).toMatchObject({ state: 'open', closes_at: shown(extended) });
  });

  test('a removed allowance closes the quiz again', async () => {
    const scene = await quiz.setUp({ closes_at: `${written(inMinutes(-60))}Z` });
    await allow(scene, { closes_at: inMinutes(60).toISOString() });
    const teacher = newGrader(quiz, scene.courseId);
    await teacher.delete(`/api/v3/grading/quizzes/${scene.quizId}/allowances/${scene.studentId}`);
    expect((await available(scene)).state).toBe('closed');
    expect(await quiz.upload(scene)).toMatchObject(refused);
  });

  test('a quiz without a closing time never closes, whatever the allowance', async () => {
    const scene = await quiz.setUp();
    await allow(scene, { closes_at: inMinutes(-60).toISOString() });
    expect(await available(scene)).toMatchObject({ state: 'open', closes_at: null, seconds_until: null });
    expect((await quiz.upload(scene)).status).toBe(200);
  });

  test('an allowance does not open a quiz earlier', async () => {
    const times = { opens_at: `${written(inMinutes(30))}Z`, closes_at: `${written(inMinutes(60))}Z` };
    const scene = await quiz.setUp(times);
    await allow(scene, { closes_at: inMinutes(90).toISOString(), extra_minutes: 60 });
    expect((await available(scene)).state).toBe('upcoming');
    expect(await quiz.upload(scene)).toMatchObject(refused);
  });

  test("a receipt has its student's own closing time", async () => {
    const scene = await quiz.setUp({ closes_at: `${written(inMinutes(5))}Z` });
    const extended = inMinutes(10);
    await allow(scene, { closes_at: extended.toISOString() });
    expect(await deadlineOf(scene)).toBe(extended.toISOString());
  });

  test('an excused student may upload, at the regular times', async () => {
    const scene = await quiz.setUp({ closes_at: `${written(inMinutes(60))}Z` });
    await allow(scene, { excused: true });
    expect((await available(scene)).state).toBe('open');
    expect((await quiz.upload(scene)).status).toBe(200);
  });
});

describe("an attempt lasts for each student's own duration", () => {
  test('extra minutes extend the attempt of one student', async () => {
    const scene = await quiz.setUp({ duration_minutes: '20' });
    const other = classmateOf(scene);
    await allow(scene, { extra_minutes: 10 });
    expect((await available(scene)).duration_minutes).toBe(30);
    expect((await available(other)).duration_minutes).toBe(20);
    const now = inMinutes(0);
    expect((await uploadAt(scene, now, { began: 30, duration: '60' })).status).toBe(200);
    expect(await uploadAt(scene, now, { began: 31, duration: '60' })).toMatchObject(refused);
    expect(await uploadAt(other, now, { began: 21, duration: '60' })).toMatchObject(refused);
  });

  test('the duration in the form is binding, however many minutes are added (the specification)', async () => {
    const scene = await quiz.setUp({ duration_minutes: '20' });
    await allow(scene, { extra_minutes: 100 });
    expect(await uploadAt(scene, inMinutes(0), { began: 31, duration: '30' })).toMatchObject(refused);
  });

  test('an accommodation multiplies the duration of every quiz of the course, and extra minutes are added to it', async () => {
    const scene = await quiz.setUp({ duration_minutes: '45' });
    const accommodated = classmateOf(scene, 150);
    expect((await available(accommodated)).duration_minutes).toBe(68);
    await allow(accommodated, { extra_minutes: 10 });
    expect((await available(accommodated)).duration_minutes).toBe(78);
    const now = inMinutes(0);
    expect((await uploadAt(accommodated, now, { began: 78, duration: '90' })).status).toBe(200);
    expect(await uploadAt(accommodated, now, { began: 79, duration: '90' })).toMatchObject(refused);
    expect((await available(scene)).duration_minutes).toBe(45);
  });

  test("the countdown of a student who opened the questions ends with the student's own duration", async () => {
    const scene = await quiz.setUp({ duration_minutes: '20' });
    await allow(scene, { extra_minutes: 10 });
    await quiz.database.query('INSERT INTO quiz.quiz_starts VALUES ($1, $2, $3)', [
      ...[scene.quizId, scene.studentId, inMinutes(-25)],
    ]);
    const { state, seconds_until, remaining_seconds } = await available(scene);
    expect(state).toBe('open');
    for (const seconds of [seconds_until, remaining_seconds])
      expect(seconds).toSatisfy((value: number) => value > 60 && value <= 300);
  });
});

describe('late work for a quiz', () => {
  const setLate = async ({ quizId }: Scene, until: Date) => {
    const rule = { graceMinutes: 0, penaltyPercent: 10, per: 'hour', floorPercent: 0 };
    await quiz.database.query('UPDATE quiz.quizzes SET late = $2 WHERE id = $1', [
      ...[quizId, JSON.stringify({ until: until.toISOString(), ...rule })],
    ]);
  };

  test('late work is accepted until the end of that period, and the quiz stays open until then with its closing time unchanged', async () => {
    const closed = inMinutes(-60);
    const scene = await quiz.setUp({ closes_at: `${written(closed)}Z` });
    await setLate(scene, inMinutes(30));
    const { state, closes_at, seconds_until, late_rule } = await available(scene);
    expect([state, closes_at, late_rule?.per]).toEqual(['open', shown(closed), 'hour']);
    expect(seconds_until).toSatisfy((value: number) => value > 1_700 && value <= 1_801);
    expect((await quiz.upload(scene)).status).toBe(200);
    const until = inMinutes(-0.5);
    await setLate(scene, until);
    expect((await uploadAt(scene, until)).status).toBe(200);
    expect(await uploadAt(scene, after(until, 1))).toMatchObject(refused);
    expect((await available(scene)).state).toBe('closed');
  });

  test('late work is not accepted after the end of the attempt', async () => {
    const closed = inMinutes(-60);
    const scene = await quiz.setUp({ closes_at: `${written(closed)}Z`, duration_minutes: '20' });
    await setLate(scene, inMinutes(30));
    expect(await uploadAt(scene, inMinutes(0), { began: 21 })).toMatchObject(refused);
    expect((await uploadAt(scene, inMinutes(0), { began: 19 })).status).toBe(200);
  });

  test('an extension beyond the end of late work applies', async () => {
    const scene = await quiz.setUp({ closes_at: `${written(inMinutes(-60))}Z` });
    await setLate(scene, inMinutes(-30));
    await allow(scene, { closes_at: inMinutes(30).toISOString() });
    expect((await quiz.upload(scene)).status).toBe(200);
    expect((await available(scene)).late_rule).toBeNull();
  });
});
