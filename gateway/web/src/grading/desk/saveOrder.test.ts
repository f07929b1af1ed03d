import { expect, test } from 'vitest';
import type { Detail, Sheet } from '../queue/gradingTypes.ts';
import { draftOf } from './draft.ts';
import { type SaveJob, SaveOrder } from './saveOrder.ts';

const ungraded = {
  ...{ id: 11, status: 'ungraded', grade: null, total_grade: null, adjustment: 0, comment: null },
  ...{ selection: [], annotations: [], rubric: null, rubric_revision: null },
} as unknown as Detail;

/** A grade entered directly, based on the given version of the submission. */
const job = (grade: number, etag: string): SaveJob => ({
  owner: { personId: 1, kind: 'quizzes', id: 11 },
  studentName: 'Ada Lovelace',
  before: ungraded,
  base: draftOf(ungraded, 10),
  draft: { ...draftOf(ungraded, 10), grade: String(grade) },
  body: { grade },
  etag,
  key: crypto.randomUUID(),
});

/** A service that counts its ETags up from "1" and rejects a request whose ETag is not current. */
function newService() {
  let state = 1;
  const received: string[] = [];
  const saves = new SaveOrder(async ({ body, etag }) => {
    await Promise.resolve();
    received.push(`${body.grade} upon ${etag}`);
    if (etag !== String(state)) return undefined;
    state += 1;
    const detail = { ...ungraded, status: 'graded', grade: body.grade, total_grade: 10 } as Detail;
    return { detail, etag: String(state) };
  });
  const changeByOther = () => {
    state += 1;
  };
  return { saves, received, changeByOther };
}

const gradeIn = (sheet: Sheet | undefined) => sheet?.detail.grade;

test('the same grading is sent once while its response is pending', async () => {
  const { saves, received } = newService();
  const answers = await Promise.all([saves.save(job(5, '1')), saves.save(job(5, '1'))]);
  expect(answers.map(gradeIn)).toEqual([5, 5]);
  expect(received).toEqual(['5 upon 1']);
});

test('a second grading waits for the first and is based on the state that it created', async () => {
  const { saves, received } = newService();
  const answers = await Promise.all([5, 6, 7].map((grade) => saves.save(job(grade, '1'))));
  expect(answers.map(gradeIn)).toEqual([5, 6, 7]);
  expect(received).toEqual(['5 upon 1', '6 upon 2', '7 upon 3']);
});

test('a desk not yet re-rendered with the response saves the same grading once', async () => {
  const { saves, received } = newService();
  await saves.save(job(5, '1'));
  expect(gradeIn(await saves.save(job(5, '1')))).toBe(5);
  expect(received).toEqual(['5 upon 1']);
});

test.for(['1', '2'])(
  'a desk not yet re-rendered with the response bases another grading on it: %s',
  async (known) => {
    const { saves, received } = newService();
    await Promise.all([saves.save(job(5, '1')), saves.save(job(6, '1'))]);
    expect(gradeIn(await saves.save(job(7, known)))).toBe(7);
    expect(received).toEqual(['5 upon 1', '6 upon 2', '7 upon 3']);
  },
);

test('a grading that was not saved can be sent again from the same desk', async () => {
  const { saves, received, changeByOther } = newService();
  changeByOther();
  expect(await saves.save(job(5, '1'))).toBeUndefined();
  expect(gradeIn(await saves.save(job(5, '2')))).toBe(5);
  expect(received).toEqual(['5 upon 1', '5 upon 2']);
});

test('a desk re-rendered with the response bases its next grading on it', async () => {
  const { saves, received } = newService();
  await saves.save(job(5, '1'));
  await saves.save(job(6, '2'));
  expect(gradeIn(await saves.save(job(5, '3')))).toBe(5);
  expect(received).toEqual(['5 upon 1', '6 upon 2', '5 upon 3']);
});

test("another grader's change is still detected", async () => {
  const { saves, received, changeByOther } = newService();
  await saves.save(job(5, '1'));
  changeByOther();
  expect(await saves.save(job(6, '1'))).toBeUndefined();
  expect(await saves.save(job(6, '2'))).toBeUndefined();
  expect(await saves.save(job(6, '1'))).toBeUndefined();
  expect(received).toEqual(['5 upon 1', '6 upon 2', '6 upon 2', '6 upon 1']);
});

test('the same grading is sent again after an undo', async () => {
  const { saves, received } = newService();
  const sheet = await saves.save(job(5, '1'));
  saves.forget(job(5, '1').owner);
  await saves.save(job(5, sheet?.etag ?? ''));
  expect(received).toEqual(['5 upon 1', '5 upon 2']);
});

test('the gradings of two questions of a submission do not wait for each other', async () => {
  const received: string[] = [];
  const never = new Promise<undefined>(() => {});
  const saves = new SaveOrder(async ({ owner, etag }) => {
    received.push(`question ${owner.questionId} upon ${etag}`);
    return owner.questionId === 1 ? never : { detail: ungraded, etag: '2' };
  });
  const answer = (questionId: number): SaveJob => {
    const whole = job(5, '1');
    return { ...whole, owner: { ...whole.owner, questionId } };
  };
  void saves.save(answer(1));
  await saves.save(answer(2));
  expect(received).toEqual(['question 1 upon 1', 'question 2 upon 1']);
});
