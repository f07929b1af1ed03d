import type { EventData, EventType } from '@gradeway/shared/events/catalog';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { scrape } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, type Grader, grade, newGrader, newQueue, type Queue, submissionPath } from './graders.ts';
import { newQuestionQueue } from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const next = async (grader: Grader, { path }: Queue, skip?: number[]) => {
  const { status, body } = await grader.post(`${path}/next`, skip && { skip });
  return status === 204 ? null : (body.data.id as number);
};
const claim = (grader: Grader, id: number | undefined, query = '') =>
  grader.put(`${submissionPath(id)}/claim${query}`);
const endClaims = ({ submissionIds }: Queue) =>
  quiz.database.query(
    "UPDATE quiz.claims SET claimed_until = now() - interval '1 second' WHERE submission_id = ANY($1)",
    [submissionIds],
  );
const claimedBy = async (grader: Grader, id: number | undefined) =>
  (await grader.get(submissionPath(id))).body.data.claimed_by;

describe('next', () => {
  test('20 simultaneous graders receive the 20 oldest submissions, each a different one', async () => {
    const queue = await newQueue(quiz, 30);
    const graders = Array.from({ length: 20 }, () => newGrader(quiz, queue.courseId));
    const received = await Promise.all(graders.map((grader) => next(grader, queue)));
    expect(received.toSorted((one, other) => Number(one) - Number(other))).toEqual(
      queue.submissionIds.slice(0, 20),
    );
  });

  test('5 of 20 simultaneous graders receive one of 5 submissions each, and the others none', async () => {
    const queue = await newQueue(quiz, 5);
    const graders = Array.from({ length: 20 }, () => newGrader(quiz, queue.courseId));
    const received = await Promise.all(graders.map((grader) => next(grader, queue)));
    const ids = received.filter((id) => id !== null);
    expect(ids.toSorted((one, other) => one - other)).toEqual(queue.submissionIds);
  });

  test('a grader in several windows receives the same submission in each', async () => {
    const queue = await newQueue(quiz, 5);
    const grader = newGrader(quiz, queue.courseId);
    const received = await Promise.all([1, 2, 3, 4].map(() => next(grader, queue)));
    expect(new Set(received)).toEqual(new Set(queue.submissionIds.slice(0, 1)));
  });

  test("next returns the caller's claimed submission, then the oldest without a claim, then none", async () => {
    const queue = await newQueue(quiz, 3);
    const [first, second, third] = queue.submissionIds;
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    await claim(grader, third);
    expect(await next(other, queue)).toBe(first);
    expect(await next(grader, queue)).toBe(third);
    await grade(grader, third, { grade: 1 });
    expect(await next(grader, queue)).toBe(second);
    expect(await next(grader, queue, [second ?? 0])).toBeNull();
    expect(await next(newGrader(quiz, queue.courseId), queue)).toBeNull();
  });

  test('next returns the detail with its tag and the claim', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    const answer = await grader.post(`${queue.path}/next`);
    expect(answer.body.data).toMatchObject({
      id: queue.submissionIds[0],
      claimed_by: { id: grader.id, name: grader.name },
    });
    const detail = await grader.get(submissionPath(queue.submissionIds[0]));
    expect(answer.body).toEqual(detail.body);
    expect(etagOf(answer)).toBe(etagOf(detail));
  });

  test("next leaves out skipped submissions, even the caller's claimed one", async () => {
    const queue = await newQueue(quiz, 3);
    const [first, second, third] = queue.submissionIds;
    const grader = newGrader(quiz, queue.courseId);
    expect(await next(grader, queue)).toBe(first);
    expect(await next(grader, queue, [first ?? 0, second ?? 0])).toBe(third);
  });

  test('next returns a submission again when its claim has ended', async () => {
    const queue = await newQueue(quiz, 1);
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    expect(await next(grader, queue)).toBe(queue.submissionIds[0]);
    expect(await next(other, queue)).toBeNull();
    await endClaims(queue);
    expect(await claimedBy(grader, queue.submissionIds[0])).toBeNull();
    expect(await next(other, queue)).toBe(queue.submissionIds[0]);
  });

  test('next does not miss a submission that commits late', async () => {
    const queue = await newQueue(quiz, 2);
    const [first, second] = queue.submissionIds;
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    await claim(grader, second);
    await quiz.database.query(
      "UPDATE quiz.submissions SET submitted_at = submitted_at - interval '1 day' WHERE id = $1",
      [first],
    );
    expect(await next(other, queue)).toBe(first);
  });

  test.each([
    [{ skip: 'all' }],
    [{ skip: Array.from({ length: 201 }, (_, index) => index + 1) }],
    [{ skip: [{}] }],
  ])('a skip other than a list of at most 200 ids is 422', async (body) => {
    const queue = await newQueue(quiz, 1);
    const answer = await newGrader(quiz, queue.courseId).post(`${queue.path}/next`, body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['skip']);
  });
});

describe('a claim', () => {
  test('claiming a submission that another grader has claimed is 409 with that claim, unless it is taken over', async () => {
    const queue = await newQueue(quiz, 1);
    const [id] = queue.submissionIds;
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    const { body } = await claim(grader, id);
    expect(body.data).toEqual({
      claimed_by: { id: grader.id, name: grader.name },
      claimed_until: expect.stringMatching(/Z$/),
    });
    const refused = await claim(other, id);
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: 'Claimed by another grader', errors: null, data: body.data },
    ]);
    const taken = await claim(other, id, '?take=1');
    expect(taken.status).toBe(200);
    expect(taken.body.data.claimed_by.id).toBe(other.id);
    expect((await claim(grader, id)).status).toBe(409);
    expect((await claim(grader, id, '?take=perhaps')).status).toBe(422);
  });

  test('one of 20 simultaneous claims of a submission succeeds', async () => {
    const queue = await newQueue(quiz, 1);
    const graders = Array.from({ length: 20 }, () => newGrader(quiz, queue.courseId));
    const answers = await Promise.all(graders.map((grader) => claim(grader, queue.submissionIds[0])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const holders = answers.map(({ body }) => body.data.claimed_by.id);
    expect(new Set(holders).size).toBe(1);
  });

  test('a claim is renewed by its grader, and released only by its grader', async () => {
    const queue = await newQueue(quiz, 1);
    const [id] = queue.submissionIds;
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    await claim(grader, id);
    await quiz.database.query(
      "UPDATE quiz.claims SET claimed_until = now() + interval '5 seconds' WHERE submission_id = $1",
      [id],
    );
    const { claimed_until } = (await claim(grader, id)).body.data;
    expect(new Date(claimed_until).getTime()).toBeGreaterThan(Date.now() + 60_000);
    expect((await other.delete(`${submissionPath(id)}/claim`)).status).toBe(204);
    expect(await claimedBy(grader, id)).toMatchObject({ id: grader.id });
    expect((await grader.delete(`${submissionPath(id)}/claim`)).status).toBe(204);
    expect(await claimedBy(grader, id)).toBeNull();
  });

  test('a claim does not stop other graders from grading, does not change the tag, and ends when its grader grades', async () => {
    const queue = await newQueue(quiz, 1);
    const [id] = queue.submissionIds;
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    const before = etagOf(await grader.get(submissionPath(id)));
    await claim(grader, id);
    expect(etagOf(await grader.get(submissionPath(id)))).toBe(before);
    const graded = await grade(other, id, { grade: 5 });
    expect(graded.body.data.claimed_by).toMatchObject({ id: grader.id });
    expect((await grade(grader, id, { grade: 6 })).body.data.claimed_by).toBeNull();
    expect(await claimedBy(grader, id)).toBeNull();
  });

  test('a claim survives a new upload and a grading through endpoint 7', async () => {
    const scene = await quiz.setUp();
    await quiz.upload(scene);
    const [{ id }] = (await quiz.database.query('SELECT id FROM quiz.submissions WHERE quiz_id = $1', [
      scene.quizId,
    ])) as [{ id: number }];
    const grader = newGrader(quiz, scene.courseId);
    await claim(grader, id);
    await quiz.upload(scene);
    expect(await claimedBy(grader, id)).toMatchObject({ id: grader.id });
    await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, quiz.admin, { grade: 1, total_grade: 2 });
    expect(await claimedBy(grader, id)).toMatchObject({ id: grader.id });
  });
});

describe.each([
  ['submissions', newQueue],
  [
    'all answers of submissions',
    (service: QuizService, count: number) => newQuestionQueue(service, count, [1, 1]),
  ],
])('the claims of a grader on %s end', (_kind, newClaimable) => {
  async function publish<Type extends EventType>(type: Type, data: EventData[Type]) {
    const broker = await openBroker({
      url: quiz.database.url('broker'),
      log: createLogger('tests', 'silent'),
    });
    await broker.publish({ event: createEvent('tests', type, 'records/1', data), traceparent: null });
    await broker.close();
  }
  const account = ({ id, name }: Grader) => ({
    user_id: id,
    first_name: name,
    last_name: '',
    email: null,
    role: 'instructor',
    is_blocked: false,
    revision: 2,
  });

  test.each([
    ['blocked', (grader: Grader) => publish('user.changed.v1', { ...account(grader), is_blocked: true })],
    [
      'no longer an instructor',
      (grader: Grader) => publish('user.changed.v1', { ...account(grader), role: 'user' }),
    ],
    ['deleted', (grader: Grader) => publish('user.deleted.v1', account(grader))],
  ])('the claims of a grader end when the grader is %s', async (_, end) => {
    const queue = await newClaimable(quiz, 2);
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    await claim(grader, queue.submissionIds[0]);
    await claim(other, queue.submissionIds[1]);
    await end(grader);
    await waitFor(async () => (await claimedBy(other, queue.submissionIds[0])) === null);
    expect(await claimedBy(other, queue.submissionIds[1])).toMatchObject({ id: other.id });
  });

  test('the claims of an instructor in a course end when the instructor is removed from it', async () => {
    const [queue, elsewhere] = [await newClaimable(quiz, 1), await newClaimable(quiz, 1)];
    const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, undefined, 'admin')];
    quiz.peers.teaching.add(`${grader.id}/${elsewhere.courseId}`);
    for (const each of [queue, elsewhere]) await claim(grader, each.submissionIds[0]);
    const removed = { course_id: queue.courseId, user_id: grader.id, revision: 2 };
    await publish('course.instructor.removed.v1', removed);
    await waitFor(async () => (await claimedBy(other, queue.submissionIds[0])) === null);
    expect(await claimedBy(other, elsewhere.submissionIds[0])).toMatchObject({ id: grader.id });
  });
});

test('claims are counted by outcome', async () => {
  const count = async (outcome: string) =>
    (await scrape(quiz.service.adminUrl)).value('gradeway_claims_total', { outcome }) ?? 0;
  const outcomes = ['next', 'empty', 'claimed', 'taken', 'refused'];
  const before = await Promise.all(outcomes.map(count));
  const queue = await newQueue(quiz, 1);
  const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
  await next(grader, queue);
  await next(other, queue);
  await claim(grader, queue.submissionIds[0]);
  await claim(other, queue.submissionIds[0]);
  await claim(other, queue.submissionIds[0], '?take=1');
  const after = await Promise.all(outcomes.map(count));
  expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([1, 1, 1, 1, 1]);
});
