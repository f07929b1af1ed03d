import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

const minute = 60_000;
const written = (time: Date) => time.toISOString().slice(0, 19);
const shown = (time: Date) => written(time).replace('T', ' ');
const ago = (minutes: number) => new Date(Date.now() - minutes * minute);

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

function tools(quiz: () => QuizService) {
  const available = async (scene: Scene) => {
    const { body } = await quiz().get('/api/v3/quiz/available', scene.student);
    return (body.data as Available[]).find(({ id }) => id === scene.quizId) as Available;
  };
  return {
    available,
    linkOf: async (scene: Scene) => (await available(scene)).questions_pdf_url as string,
    open: async (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
      (await createHttpClient({ baseUrl: '' }).request(method, url, { headers })).status,
    starts: (scene: Scene) =>
      quiz().database.query<{ student_id: number; started_at: Date }>(
        'SELECT student_id, started_at FROM quiz.quiz_starts WHERE quiz_id = $1',
        [scene.quizId],
      ),
    /** Records that the student opened the questions this many minutes ago. */
    async openedAgo(scene: Scene, minutes: number): Promise<Date> {
      const at = ago(minutes);
      await quiz().database.query('INSERT INTO quiz.quiz_starts VALUES ($1, $2, $3)', [
        scene.quizId,
        scene.studentId,
        at,
      ]);
      return at;
    },
    async ownFlags(scene: Scene): Promise<unknown[]> {
      const { body } = await quiz().get('/api/v3/quiz/submissions', scene.student);
      const own = (body.data as Own[]).find(({ quiz_id }) => quiz_id === scene.quizId);
      return own?.flags ?? ['no submission'];
    },
    async history(scene: Scene): Promise<{ data: { flags: unknown[] }[]; flags: unknown[] }> {
      const { body } = await quiz().get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz().admin);
      const path = `/api/v3/quiz/pdf-quizzes/grade/${body.data.submissions[0].id}/history`;
      return (await quiz().get(path, quiz().admin)).body;
    },
  };
}

interface Available {
  id: number;
  questions_pdf_url: string | null;
  started_at: string | null;
  state: 'upcoming' | 'open' | 'closed';
  seconds_until: number | null;
  remaining_seconds: number | null;
}

interface Own {
  quiz_id: number;
  flags: unknown[];
}

describe('the start of an attempt', () => {
  const { available, linkOf, open, starts } = tools(() => quiz);
  const scene = () => quiz.setUp({ file: quiz.pdf });

  test('the start is recorded when the student first opens the question PDF, and never changes', async () => {
    const own = await scene();
    const url = (await available(own)).questions_pdf_url as string;
    expect(await starts(own)).toEqual([]);
    const before = Date.now();
    expect(await open(url)).toBe(200);
    const first = await starts(own);
    expect(first).toEqual([{ student_id: own.studentId, started_at: expect.any(Date) }]);
    const startedAt = first[0]?.started_at ?? new Date(0);
    expect(startedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(startedAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await available(own)).started_at).toBe(shown(startedAt));
    await open(url);
    await open(url, { range: 'bytes=100-' });
    expect(await starts(own)).toEqual(first);
  });

  test('the start is not recorded for a person who was erased', async () => {
    const own = await scene();
    const url = await linkOf(own);
    await quiz.database.query('INSERT INTO quiz.erased_people (user_id, keeps_grades) VALUES ($1, true)', [
      own.studentId,
    ]);
    expect(await open(url)).toBe(403);
    expect(await starts(own)).toEqual([]);
  });

  test('the start is recorded once for simultaneous requests', async () => {
    const own = await scene();
    const url = await linkOf(own);
    const statuses = await Promise.all(Array.from({ length: 12 }, () => open(url)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await starts(own)).toHaveLength(1);
  });

  test('the start is recorded for a range request but not for HEAD', async () => {
    const own = await scene();
    const url = await linkOf(own);
    expect(await open(url, {}, 'HEAD')).toBe(200);
    expect(await starts(own)).toEqual([]);
    expect(await open(url, { range: 'bytes=1-' })).toBe(206);
    expect(await starts(own)).toHaveLength(1);
  });

  test('the start cannot precede the opening time of the quiz, because there is no link to the questions until then', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
    const own = await quiz.setUp({ file: quiz.pdf, opens_at: inAnHour });
    expect((await available(own)).questions_pdf_url).toBeNull();
    const opened = { data: { opens_at: null } };
    const path = `/api/v3/quiz/pdf-quizzes/${own.quizId}`;
    const client = createHttpClient({ baseUrl: quiz.service.url, token: quiz.admin });
    expect((await client.patch(path, { opens_at: null })).body).toMatchObject(opened);
    expect(await open(await linkOf(own))).toBe(200);
  });

  test('the start is not recorded when an administrator opens the questions', async () => {
    const own = await scene();
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${own.quizId}`, quiz.admin);
    expect(await open(body.data.questions_pdf_url)).toBe(200);
    expect(await starts(own)).toEqual([]);
  });

  test('the start is recorded for the student to whom the link was issued', async () => {
    const own = await scene();
    const other = quiz.tokens.sign(own.studentId + 500, 'user');
    quiz.peers.enrollments.set(`${own.studentId + 500}/${own.courseId}`, { paid: true });
    expect(await linkOf({ ...own, student: other })).not.toBe(await linkOf(own));
    await open(await linkOf({ ...own, student: other }));
    expect((await starts(own)).map(({ student_id }) => student_id)).toEqual([own.studentId + 500]);
  });

  test.each([
    [
      'another student',
      (url: URL, own: Scene) => url.searchParams.set('for', `${own.quizId}.${own.studentId + 1}`),
    ],
    [
      'another quiz',
      (url: URL, own: Scene) => url.searchParams.set('for', `${own.quizId + 1}.${own.studentId}`),
    ],
    ['no reader', (url: URL) => url.searchParams.delete('for')],
    ['an empty reader', (url: URL) => url.searchParams.set('for', '')],
    ['two readers', (url: URL) => url.searchParams.append('for', '1.1')],
  ])('a link altered to %s returns 403 and records nothing (D31)', async (_, alter) => {
    const own = await scene();
    const url = new URL(await linkOf(own));
    alter(url, own);
    expect(await open(url.href)).toBe(403);
    expect(await starts(own)).toEqual([]);
  });

  test("an administrator's link altered to name a reader returns 403", async () => {
    const own = await scene();
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${own.quizId}`, quiz.admin);
    expect(await open(`${body.data.questions_pdf_url}&for=${own.quizId}.${own.studentId}`)).toBe(403);
    expect(await starts(own)).toEqual([]);
  });

  test('the start remains when the question PDF is replaced', async () => {
    const own = await scene();
    await open(await linkOf(own));
    const first = await starts(own);
    await quiz.patch(`/api/v3/quiz/pdf-quizzes/${own.quizId}`, { file: quiz.pdf });
    expect(await open(await linkOf(own))).toBe(200);
    expect(await starts(own)).toEqual(first);
  });
});

describe('the remaining seconds', () => {
  const { available, openedAgo } = tools(() => quiz);

  test('the remaining seconds follow from the recorded start and the duration of the quiz', async () => {
    const own = await quiz.setUp({ file: quiz.pdf, duration_minutes: '30' });
    expect(await available(own)).toMatchObject({ started_at: null, remaining_seconds: null });
    const startedAt = await openedAgo(own, 10);
    const { started_at, remaining_seconds } = await available(own);
    expect(started_at).toBe(shown(startedAt));
    const secondsLeft = (startedAt.getTime() + 30 * minute - Date.now()) / 1_000;
    expect(remaining_seconds).toBeGreaterThanOrEqual(Math.floor(secondsLeft));
    expect(remaining_seconds).toBeLessThanOrEqual(20 * 60);
  });

  test('the remaining seconds end when the quiz closes and are never below 0', async () => {
    const closesAt = new Date(Date.now() + 5 * minute);
    const closing = await quiz.setUp({
      file: quiz.pdf,
      duration_minutes: '30',
      closes_at: written(closesAt),
    });
    await openedAgo(closing, 1);
    const { remaining_seconds: left } = await available(closing);
    expect(left).toBeGreaterThanOrEqual(Math.floor((closesAt.getTime() - 1_000 - Date.now()) / 1_000));
    expect(left).toBeLessThanOrEqual(5 * 60);
    const over = await quiz.setUp({ file: quiz.pdf, duration_minutes: '30' });
    await openedAgo(over, 40);
    expect((await available(over)).remaining_seconds).toBe(0);
  });
});

describe('the state of a quiz', () => {
  const { available, openedAgo } = tools(() => quiz);
  const inMinutes = (minutes: number) => written(ago(-minutes));
  /** The state, and the minutes until it changes. */
  const stateOf = async (own: Scene) => {
    const { state, seconds_until } = await available(own);
    return [state, seconds_until && Math.ceil(seconds_until / 60)];
  };

  test.each([
    ['without limits is open for good', {}, ['open', null]],
    ['is upcoming until it opens', { opens_at: inMinutes(300) }, ['upcoming', 300]],
    ['is open until it closes', { opens_at: inMinutes(-10), closes_at: inMinutes(600) }, ['open', 600]],
    ['is closed for good after that', { closes_at: inMinutes(-1) }, ['closed', null]],
    ['is not limited by an attempt that has not begun', { duration_minutes: '45' }, ['open', null]],
  ])('%s', async (_, fields, expected) => {
    expect(await stateOf(await quiz.setUp({ file: quiz.pdf, ...fields }))).toEqual(expected);
  });

  test('a quiz ends for a student only when their own attempt ends', async () => {
    const own = await quiz.setUp({ file: quiz.pdf, duration_minutes: '30', closes_at: inMinutes(600) });
    const other = {
      ...own,
      studentId: own.studentId + 500,
      student: quiz.tokens.sign(own.studentId + 500, 'user'),
    };
    quiz.peers.enrollments.set(`${other.studentId}/${own.courseId}`, { paid: true });
    await openedAgo(own, 10);
    expect(await stateOf(own)).toEqual(['open', 20]);
    await openedAgo(other, 31);
    expect(await stateOf(other)).toEqual(['closed', null]);
    expect(await stateOf(own)).toEqual(['open', 20]);
  });
});

describe('an upload with a trusted client clock', () => {
  const { openedAgo, ownFlags, history } = tools(() => quiz);

  test("an upload that claims a different start is accepted and flagged if the client's clock is trusted", async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    const recorded = await openedAgo(own, 50);
    const claimed = ago(5);
    expect((await quiz.upload(own, { start_at: written(claimed) })).status).toBe(200);
    const flags = [
      {
        code: 'start_mismatch',
        claimed_start_at: shown(claimed),
        recorded_start_at: shown(recorded),
      },
    ];
    expect(await ownFlags(own)).toEqual(flags);
    expect(await history(own)).toMatchObject({ data: [], flags });

    const [submission] = await quiz.database.query<{ id: number }>(
      'SELECT id FROM quiz.submissions WHERE quiz_id = $1',
      [own.quizId],
    );
    await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${submission?.id}`, quiz.admin, {
      grade: 5,
      total_grade: 10,
    });
    expect((await history(own)).data.map((grading) => grading.flags)).toEqual([flags]);
  });

  test('an upload that claims nearly the same start is not flagged', async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    await openedAgo(own, 10);
    await quiz.upload(own, { start_at: written(ago(9)) });
    expect(await ownFlags(own)).toEqual([]);
    expect((await history(own)).flags).toEqual([]);
  });

  test.each([
    ['without an opened link', { file: true }],
    ['for a quiz without a PDF', { file: false }],
  ])('an upload with %s is not flagged', async (_, { file }) => {
    const own = await quiz.setUp(file ? { file: quiz.pdf } : {});
    expect((await quiz.upload(own)).status).toBe(200);
    expect(await ownFlags(own)).toEqual([]);
  });

  test('the objects of the specification never contain flags', async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    await openedAgo(own, 50);
    const { body } = await quiz.upload(own, { start_at: written(ago(5)) });
    expect(body).toEqual({ status: true, message: 'Submitted successfully' });
    for (const path of [`/api/v3/quiz/pdf-quizzes/${own.quizId}`, '/api/v3/quiz/pdf-quizzes?per_page=100'])
      expect(JSON.stringify((await quiz.get(path, quiz.admin)).body)).not.toContain('flags');
  });

  test('an upload keeps the flags of the sheet that it replaces', async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    const recorded = await openedAgo(own, 20);
    await quiz.upload(own, { start_at: written(ago(5)) });
    await quiz.upload(own, { start_at: written(recorded) });
    expect(await ownFlags(own)).toEqual([]);
    const replaced = await quiz.database.query(
      `SELECT r.flags, r.recorded_start_at FROM quiz.replaced_sheets r
       JOIN quiz.submissions s ON s.id = r.submission_id WHERE s.quiz_id = $1`,
      [own.quizId],
    );
    expect(replaced).toEqual([{ flags: ['start_mismatch'], recorded_start_at: recorded }]);
  });
});

describe('an upload with QUIZ_TRUST_CLIENT_CLOCK=0', () => {
  let quiz: QuizService;
  beforeAll(async () => {
    quiz = await startQuizService({ QUIZ_TRUST_CLIENT_CLOCK: '0' });
  });
  afterAll(() => quiz.close());
  const { openedAgo, ownFlags } = tools(() => quiz);
  const expired = { status: 403, body: { message: 'QuizDurationExpired', errors: null } };
  const upload = async (own: Scene, change: Record<string, string>) => {
    const { status, body } = await quiz.upload(own, change);
    return { status, body };
  };

  test("an upload must arrive within the window from the recorded start if the client's clock is not trusted", async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    await openedAgo(own, 31);
    expect(await upload(own, { start_at: written(ago(1)), duration: '30' })).toEqual(expired);
    expect(await upload(own, { start_at: written(ago(1)), duration: '40' })).toMatchObject({ status: 200 });
    expect(await ownFlags(own)).toMatchObject([{ code: 'start_mismatch' }]);
  });

  test("an upload uses the quiz's duration, if there is one, instead of the student's", async () => {
    const own = await quiz.setUp({ file: quiz.pdf, duration_minutes: '20' });
    await openedAgo(own, 25);
    expect(await upload(own, { start_at: written(ago(1)), duration: '600' })).toEqual(expired);
    const longer = await quiz.setUp({ file: quiz.pdf, duration_minutes: '60' });
    const recorded = await openedAgo(longer, 25);
    expect(await upload(longer, { start_at: written(recorded), duration: '10' })).toMatchObject({
      status: 200,
    });
    expect(await ownFlags(longer)).toEqual([]);
  });

  test('a receipt attests the deadline that applied with an untrusted clock', async () => {
    const own = await quiz.setUp({ file: quiz.pdf, duration_minutes: '30' });
    const recorded = await openedAgo(own, 10);
    const headers = { 'idempotency-key': `receipt-${own.quizId}` };
    expect((await quiz.upload(own, { start_at: written(ago(1)) }, headers)).status).toBe(200);
    const [recordedResult] = await quiz.database.query<{ deadline: string }>(
      "SELECT result->>'deadline' AS deadline FROM quiz.idempotency_keys WHERE key = $1",
      [headers['idempotency-key']],
    );
    expect(recordedResult?.deadline).toBe(new Date(recorded.getTime() + 30 * minute).toISOString());
  });

  test("an upload is not late because of an early start_at if the client's clock is not trusted", async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    await openedAgo(own, 5);
    expect(await upload(own, { start_at: written(ago(90)), duration: '30' })).toMatchObject({ status: 200 });
  });

  test('an upload without a recorded start uses start_at, and is flagged if there was a question PDF', async () => {
    const own = await quiz.setUp({ file: quiz.pdf });
    const claimed = ago(40);
    expect(await upload(own, { start_at: written(claimed), duration: '30' })).toEqual(expired);
    expect(await upload(own, { start_at: written(claimed), duration: '45' })).toMatchObject({ status: 200 });
    expect(await ownFlags(own)).toEqual([
      { code: 'no_recorded_start', claimed_start_at: shown(claimed), recorded_start_at: null },
    ]);
    const withoutPdf = await quiz.setUp();
    expect(await upload(withoutPdf, {})).toMatchObject({ status: 200 });
    expect(await ownFlags(withoutPdf)).toEqual([]);
  });
});
