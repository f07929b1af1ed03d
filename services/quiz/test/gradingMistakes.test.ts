import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeRubric, etagOf, grade, makeRubric, newGrader, newQueue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

// Known mistakes of other systems in which several people grade.

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const rubric = (points: number, change: object = {}) => ({
  mode: 'add',
  max_points: 10,
  items: [
    { points, text: 'The proof is complete' },
    { points: 1, text: 'The result is right' },
  ],
  ...change,
});

test('a grade is never overwritten by a grader who has not seen it', async () => {
  const queue = await newQueue(quiz, 1);
  const [one, two] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
  const path = submissionPath(queue.submissionIds[0]);
  const [seenByOne, seenByTwo] = [await one.get(path), await two.get(path)];
  expect((await one.put(path, { grade: 8, comment: 'Good' }, { 'if-match': etagOf(seenByOne) })).status).toBe(
    200,
  );
  const refused = await two.put(path, { grade: 2 }, { 'if-match': etagOf(seenByTwo) });
  expect(refused.status).toBe(412);
  // The response contains the current state, so that a client can show both.
  expect(refused.body.data).toMatchObject({ grade: 8, comment: 'Good', graded_by: { id: one.id } });
  const { body } = await one.get(path);
  expect(body.data).toMatchObject({ grade: 8, revision: 1 });
});

test('the next submission comes with the rubric of its quiz, and without a selection', async () => {
  const [first, second] = [await newQueue(quiz, 2), await newQueue(quiz, 1)];
  const grader = newGrader(quiz, first.courseId);
  quiz.peers.teaching.add(`${grader.id}/${second.courseId}`);
  const [ofFirst, ofSecond] = [
    await makeRubric(grader, first, rubric(6)),
    await makeRubric(grader, second, rubric(7)),
  ];
  const next = async ({ path }: typeof first) => (await grader.post(`${path}/next`)).body.data;
  const one = await next(first);
  await grade(grader, one.id, { selection: [ofFirst.items[0]?.id], rubric_revision: ofFirst.revision });
  const two = await next(first);
  expect(two).toMatchObject({ selection: [], grade: null, rubric_revision: null });
  expect(two.id).not.toBe(one.id);
  expect(two.rubric.items.map(({ id }: { id: number }) => id)).toEqual(ofFirst.items.map(({ id }) => id));
  const other = await next(second);
  expect(other.rubric.items.map(({ id }: { id: number }) => id)).toEqual(ofSecond.items.map(({ id }) => id));
  // A selection from one rubric is not accepted for the other either.
  const mixed = await grade(grader, other.id, {
    selection: [ofFirst.items[0]?.id],
    rubric_revision: ofSecond.revision,
  });
  expect(mixed.status).toBe(422);
});

test.each([
  ['the mode', { mode: 'subtract' }, 3],
  ['the maximum', { max_points: 5 }, 5],
  ['the minimum', { min_points: 9 }, 9],
])('a change to %s of the rubric regrades the submissions', async (_, change, expected) => {
  const queue = await newQueue(quiz, 1);
  const grader = newGrader(quiz, queue.courseId);
  const { items, revision } = await makeRubric(grader, queue, rubric(6));
  const path = submissionPath(queue.submissionIds[0]);
  await grade(grader, queue.submissionIds[0], {
    selection: items.map(({ id }) => id),
    rubric_revision: revision,
  });
  expect((await grader.get(path)).body.data.grade).toBe(7);
  expect((await changeRubric(grader, queue, rubric(6, { items, ...change }))).status).toBe(200);
  expect((await grader.get(path)).body.data).toMatchObject({ grade: expected, rubric_revision: 2 });
});

test('marks stay with the sheet on which they were made, and do not appear on a later sheet', async () => {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
  await quiz.upload(scene);
  const grader = newGrader(quiz, scene.courseId);
  const [{ id }] = (await quiz.database.query('SELECT id FROM quiz.submissions WHERE quiz_id = $1', [
    scene.quizId,
  ])) as [{ id: number }];
  const seen = await grader.get(submissionPath(id));
  const [sheet] = seen.body.data.files;
  const mark = { id: randomUUID(), file_id: sheet.id, page: 1, kind: 'check', rect: [1, 1, 5, 5] };
  await quiz.upload(scene);
  // The upload came first: the marks were made on a different sheet.
  const late = await grader.put(
    submissionPath(id),
    { grade: 5, annotations: [mark] },
    { 'if-match': etagOf(seen) },
  );
  expect([late.status, late.body.errors]).toEqual([
    422,
    { annotations: [expect.stringContaining(`file ${sheet.id} (answers.pdf), which was replaced`)] },
  ]);
  expect((await grader.put(submissionPath(id), { grade: 5 }, { 'if-match': etagOf(seen) })).status).toBe(412);
  // A replaced sheet keeps its marks; after grading, only direct access to the database can replace a sheet.
  const [present] = (await grader.get(submissionPath(id))).body.data.files;
  await grade(grader, id, { grade: 5, annotations: [{ ...mark, file_id: present.id }] });
  await quiz.database.query('UPDATE quiz.submissions SET file_id = $2 WHERE id = $1', [id, sheet.id]);
  expect((await grader.get(submissionPath(id))).body.data.annotations).toEqual([]);
  await quiz.database.query('UPDATE quiz.submissions SET file_id = $2 WHERE id = $1', [id, present.id]);
  expect((await grader.get(submissionPath(id))).body.data.annotations).toHaveLength(1);
});

test('a removed rubric item leaves no points in grades or selections', async () => {
  const queue = await newQueue(quiz, 2);
  const grader = newGrader(quiz, queue.courseId);
  const { items, revision } = await makeRubric(grader, queue, rubric(6));
  const [proof, result] = items.map(({ id }) => id);
  for (const id of queue.submissionIds)
    await grade(grader, id, { selection: [proof, result], rubric_revision: revision });
  const without = await changeRubric(grader, queue, rubric(6, { items: items.slice(1) }));
  expect(without.body.data.items).toMatchObject([{ id: result, uses: 2 }]);
  for (const id of queue.submissionIds)
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({ grade: 1, selection: [result] });
  // A later item does not restore it either.
  const later = await changeRubric(
    grader,
    queue,
    rubric(6, { items: [...items.slice(1), { points: 6, text: 'Again' }] }),
  );
  expect(later.body.data.items[1].uses).toBe(0);
  expect((await grader.get(submissionPath(queue.submissionIds[0]))).body.data.grade).toBe(1);
});
