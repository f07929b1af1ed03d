import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Grader, grade, newGrader, newQueue, submissionPath } from './graders.ts';
import {
  addQuestions,
  answerOf,
  answerPath,
  gradeAnswer,
  newQuestionQueue,
  type QuestionQueue,
  ungradeAnswer,
} from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** The submission and the question that `next` names; null when nothing is left. */
async function next(grader: Grader, { path }: QuestionQueue, questionId?: number, skip: number[] = []) {
  const { status, body } = await grader.post(`${path}/next`, { question_id: questionId, skip });
  if (status !== 204) expect(status).toBe(200);
  return status === 204 ? null : [body.data.id as number, body.data.next_question_id as number];
}
const claim = (grader: Grader, path: string, query = '') => grader.put(`${path}/claim${query}`);
const release = (grader: Grader, path: string) => grader.delete(`${path}/claim`);
const claimers = async (grader: Grader, id: number | undefined) => {
  const { data } = (await grader.get(submissionPath(id))).body;
  const idOf = ({ claimed_by: by }: { claimed_by: { id: number } | null }) => by?.id ?? null;
  return { whole: idOf(data), answers: data.answers.map(idOf) };
};
const graders = (queue: QuestionQueue, count: number) =>
  Array.from({ length: count }, () => newGrader(quiz, queue.courseId));

describe('next', () => {
  test('20 graders grade 400 answers to 20 questions simultaneously, and none of the answers twice', async () => {
    const queue = await newQuestionQueue(
      quiz,
      20,
      Array.from({ length: 20 }, () => 1),
    );
    const all = graders(queue, 20);
    const taken: string[] = [];
    await Promise.all(
      all.map(async (grader, index) => {
        // Half of the graders take any question; the others start with the same question and end with different ones.
        for (let turn = 0; turn < 20; turn += 1) {
          const question = index % 2 === 0 ? undefined : queue.questionIds[(turn * index) % 20];
          const found = await next(grader, queue, question);
          if (!found) continue;
          taken.push(found.join());
          await gradeAnswer(grader, found[0], found[1], { points: 1 });
        }
      }),
    );
    expect(taken.length).toBeGreaterThan(200);
    expect(new Set(taken).size).toBe(taken.length);
    const rows = await quiz.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM quiz.answer_gradings WHERE submission_id = ANY($1)`,
      [queue.submissionIds],
    );
    expect(rows).toEqual([{ n: taken.length }]);
  });

  test('20 simultaneous graders of a question receive its 20 oldest answers', async () => {
    const queue = await newQuestionQueue(quiz, 30, [1, 1]);
    const [, question] = queue.questionIds;
    const received = await Promise.all(graders(queue, 20).map((grader) => next(grader, queue, question)));
    const ids = received.map((found) => found?.[0] ?? 0).toSorted((one, other) => one - other);
    expect(ids).toEqual(queue.submissionIds.slice(0, 20));
  });

  test('the queue of a question returns the answer claimed by the grader, then the oldest unclaimed one, then none', async () => {
    const queue = await newQuestionQueue(quiz, 3, [1, 1]);
    const [first, second, third] = queue.submissionIds as [number, number, number];
    const [question = 0, elsewhere] = queue.questionIds;
    const [grader, other] = graders(queue, 2) as [Grader, Grader];
    await claim(grader, answerPath(third, question));
    await claim(other, answerPath(second, elsewhere));
    expect(await next(other, queue, question)).toEqual([first, question]);
    expect(await next(grader, queue, question)).toEqual([third, question]);
    await gradeAnswer(grader, third, question, { points: 1 });
    expect(await next(grader, queue, question)).toEqual([second, question]);
    expect(await next(grader, queue, question, [second])).toBeNull();
  });

  test('without a question, next returns the oldest incompletely graded submission, and its first free question', async () => {
    const queue = await newQuestionQueue(quiz, 2, [1, 1]);
    const [first, second] = queue.submissionIds as [number, number];
    const [one, two] = queue.questionIds as [number, number];
    const [grader, other] = graders(queue, 2) as [Grader, Grader];
    expect(await next(grader, queue)).toEqual([first, one]);
    expect(await next(other, queue)).toEqual([first, two]);
    expect(await claimers(grader, first)).toEqual({ whole: null, answers: [grader.id, other.id] });
    await gradeAnswer(grader, first, one, { points: 1 });
    expect(await next(grader, queue)).toEqual([second, one]);
    expect(await next(grader, queue, undefined, [second])).toBeNull();
    const { body } = await grader.get(submissionPath(second));
    expect(body.data.next_question_id).toBeUndefined();
  });

  test('a submission graded as a whole is skipped until one of its answers is graded', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    const [id] = queue.submissionIds;
    await grade(grader, id, { grade: 5 });
    const asked = await addQuestions(quiz, queue, [5, 5]);
    const [one, two] = asked.questionIds as [number, number];
    expect([await next(grader, asked), await next(grader, asked, one)]).toEqual([null, null]);
    await gradeAnswer(grader, id, one, { points: 3 });
    expect(await next(grader, asked)).toEqual([id, two]);
  });

  test('a question of another item is 422', async () => {
    const [queue, elsewhere] = [await newQuestionQueue(quiz, 1, [1]), await newQuestionQueue(quiz, 1, [1])];
    const grader = newGrader(quiz, queue.courseId);
    const [question] = elsewhere.questionIds;
    for (const { status, body } of [
      await grader.post(`${queue.path}/next`, { question_id: question }),
      await grader.get(`${queue.path}/submissions?question_id=${question}`),
    ])
      expect([status, Object.keys(body.errors)]).toEqual([422, ['question_id']]);
  });
});

describe('the list of a question', () => {
  test('the list of a question has the submissions in order, each with its answer, and counts answers', async () => {
    const queue = await newQuestionQueue(quiz, 5, [1, 2]);
    const [, question] = queue.questionIds;
    const grader = newGrader(quiz, queue.courseId);
    const [first, , third] = queue.submissionIds;
    await gradeAnswer(grader, third, question, { points: 1.5 });
    const list = async (query = '') =>
      (await grader.get(`${queue.path}/submissions?question_id=${question}${query}`)).body;
    const { data, meta } = await list();
    expect(data.map(({ id }: { id: number }) => id)).toEqual(queue.submissionIds);
    expect(data[2]).toMatchObject({ status: 'ungraded', answer: { question_id: question, points: 1.5 } });
    expect(data[2].answer).toEqual(await answerOf(grader, third, question));
    expect(meta).toEqual({ per_page: 50, total: 5, graded: 1 });
    const ids = (page: { data: { id: number }[] }) => page.data.map(({ id }) => id);
    expect(ids(await list('&status=graded'))).toEqual([third]);
    expect(ids(await list('&status=ungraded'))).toEqual(queue.submissionIds.filter((id) => id !== third));
    expect(ids(await list('&search=student%201'))).toEqual([first]);
    const pages = [await list('&per_page=2')];
    while (pages.at(-1)?.links.next) pages.push((await grader.get(pathOf(pages.at(-1)?.links.next))).body);
    expect(pages.map(ids)).toEqual([
      queue.submissionIds.slice(0, 2),
      queue.submissionIds.slice(2, 4),
      queue.submissionIds.slice(4),
    ]);
    const cursor = new URL(pages[0]?.links.next).searchParams.get('cursor');
    for (const other of [`question_id=${queue.questionIds[0]}`, 'status=all']) {
      const answer = await grader.get(`${queue.path}/submissions?${other}&cursor=${cursor}`);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['cursor']]);
    }
  });

  test('the list of a question follows the order of the item', async () => {
    const queue = await newQuestionQueue(quiz, 8, [1]);
    await quiz.database.query("UPDATE quiz.quizzes SET submission_order = 'shuffled' WHERE id = $1", [
      queue.quizId,
    ]);
    const grader = newGrader(quiz, queue.courseId);
    const list = async (query: string) =>
      (await grader.get(`${queue.path}/submissions?${query}`)).body.data.map(({ id }: { id: number }) => id);
    const [question] = queue.questionIds;
    const order = await list('');
    expect(await list(`question_id=${question}`)).toEqual(order);
    expect(await next(grader, queue, question)).toEqual([order[0], question]);
  });

  const pathOf = (url: string) => `${new URL(url).pathname}${new URL(url).search}`;
});

describe('a claim', () => {
  test("a claim of another grader's answer is 409 with that claim, unless it is taken over", async () => {
    const queue = await newQuestionQueue(quiz, 1, [1, 1]);
    const [id] = queue.submissionIds;
    const path = answerPath(id, queue.questionIds[0]);
    const [grader, other] = graders(queue, 2) as [Grader, Grader];
    const { body } = await claim(grader, path);
    expect(body.data).toEqual({
      claimed_by: { id: grader.id, name: grader.name },
      claimed_until: expect.stringMatching(/Z$/),
    });
    const refused = await claim(other, path);
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: 'Claimed by another grader', errors: null, data: body.data },
    ]);
    expect((await release(other, path)).status).toBe(204);
    expect(await claimers(grader, id)).toEqual({ whole: null, answers: [grader.id, null] });
    expect((await claim(other, path, '?take=1')).status).toBe(200);
    expect((await release(other, path)).status).toBe(204);
    expect(await claimers(grader, id)).toEqual({ whole: null, answers: [null, null] });
  });

  test('claiming a whole submission claims all of its ungraded answers', async () => {
    const queue = await newQuestionQueue(quiz, 1, [1, 1, 1]);
    const [id] = queue.submissionIds;
    const [one, two, three] = queue.questionIds;
    const [grader, other] = graders(queue, 2) as [Grader, Grader];
    await gradeAnswer(grader, id, one, { points: 1 });
    expect((await claim(grader, submissionPath(id))).status).toBe(200);
    expect(await claimers(grader, id)).toEqual({ whole: grader.id, answers: [null, grader.id, grader.id] });
    const items = (await grader.get('/api/v3/grading/quizzes')).body.data;
    expect(items.find((item: { id: number }) => item.id === queue.quizId).claimed).toBe(1);
    expect((await claim(other, answerPath(id, two))).status).toBe(409);
    await claim(other, answerPath(id, three), '?take=1');
    expect(await claimers(grader, id)).toEqual({ whole: null, answers: [null, grader.id, other.id] });
    const refused = await claim(grader, submissionPath(id));
    expect([refused.status, refused.body.data.claimed_by.id]).toEqual([409, other.id]);
    expect((await claim(grader, submissionPath(id), '?take=1')).status).toBe(200);
    expect((await release(grader, submissionPath(id))).status).toBe(204);
    expect(await claimers(grader, id)).toEqual({ whole: null, answers: [null, null, null] });
  });

  test('of simultaneous claims of a submission and its answers, each succeeds completely or not at all', async () => {
    const queue = await newQuestionQueue(quiz, 1, [1, 1, 1, 1]);
    const [id] = queue.submissionIds;
    const all = graders(queue, 12);
    const answers = await Promise.all(
      all.map((grader, index) =>
        claim(grader, index % 3 === 0 ? submissionPath(id) : answerPath(id, queue.questionIds[index % 4])),
      ),
    );
    const holders = (await claimers(all[0] as Grader, id)).answers;
    for (const [index, { status }] of answers.entries()) {
      const own = holders.filter((holder: number) => holder === all[index]?.id).length;
      expect(own).toBe(status === 409 ? 0 : index % 3 === 0 ? 4 : 1);
    }
  });

  test('claiming a submission whose answers are all graded claims all of them', async () => {
    const queue = await newQuestionQueue(quiz, 1, [1, 1]);
    const [id] = queue.submissionIds;
    const grader = newGrader(quiz, queue.courseId);
    for (const question of queue.questionIds) await gradeAnswer(grader, id, question, { points: 1 });
    await claim(grader, submissionPath(id));
    expect(await claimers(grader, id)).toEqual({ whole: grader.id, answers: [grader.id, grader.id] });
  });

  test('a claim ends when its grader grades, not when another grader does or the submission gets a comment', async () => {
    const queue = await newQuestionQueue(quiz, 1, [1, 1]);
    const [id] = queue.submissionIds;
    const [one, two] = queue.questionIds;
    const [grader, other] = graders(queue, 2) as [Grader, Grader];
    await claim(grader, submissionPath(id));
    await gradeAnswer(other, id, one, { points: 1 });
    expect((await grade(grader, id, { comment: 'Seen' })).body.data.claimed_by).toMatchObject({
      id: grader.id,
    });
    const graded = await gradeAnswer(grader, id, two, { points: 1 });
    expect(graded.body.data.claimed_by).toBeNull();
    expect(await claimers(grader, id)).toEqual({ whole: null, answers: [grader.id, null] });
    await claim(grader, answerPath(id, two));
    await ungradeAnswer(grader, id, two);
    expect(await claimers(grader, id)).toEqual({ whole: null, answers: [grader.id, null] });
  });
});
