import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, grade, newGrader, newQueue, submissionPath } from './graders.ts';
import {
  addQuestionRubric,
  addQuestions,
  answerHistory,
  answerOf,
  answerPath,
  answersOf,
  gradeAnswer,
  gradeEvents,
  newQuestionQueue,
  ungradeAnswer,
} from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** A submission with two questions of 3 and 4.5 points, and two graders. */
async function newScene(maxPoints = [3, 4.5]) {
  const queue = await newQuestionQueue(quiz, 1, maxPoints);
  const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
  const [id] = queue.submissionIds as [number];
  const [first, second] = queue.questionIds as [number, number];
  return { queue, grader, other, id, first, second };
}

describe('the grading of an answer', () => {
  test('a grading returns the answer and its tag, exactly as later readers get them', async () => {
    const { grader, id, first } = await newScene();
    const answer = await gradeAnswer(grader, id, first, { points: '2.25', comment: 'Good' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      question_id: first,
      label: '1',
      state: 'graded',
      points: 2.25,
      comment: 'Good',
      selection: [],
      adjustment: 0,
      rubric_revision: null,
      graded_by: { id: grader.id, name: grader.name },
      revision: 1,
    });
    expect(etagOf(answer)).toBe(answer.body.data.tag);
    expect(await answerOf(grader, id, first)).toEqual(answer.body.data);
  });

  test('the last answer grades the submission with the exact sum, with one event and one history entry', async () => {
    const { grader, other, id, first, second } = await newScene();
    await gradeAnswer(grader, id, first, { points: 0.1 });
    const before = (await grader.get(submissionPath(id))).body.data;
    expect(before).toMatchObject({ status: 'ungraded', grade: null, graded_questions: 1 });
    await gradeAnswer(other, id, second, { points: 0.2 });
    const { data } = (await grader.get(submissionPath(id))).body;
    expect(data).toMatchObject({
      status: 'graded',
      grade: 0.3,
      total_grade: 7.5,
      graded_by: { id: other.id },
      graded_questions: 2,
      revision: 1,
    });
    expect(await gradeEvents(quiz, id)).toEqual([['graded', 0.3, 7.5]]);
    const { body } = await grader.get(`${submissionPath(id)}/history`);
    expect(body.data).toEqual([
      expect.objectContaining({ grade: 0.3, total_grade: 7.5, reason: 'questions' }),
    ]);
  });

  test('a later change to an answer changes the grade, unless the sum stays the same', async () => {
    const { grader, id, first, second } = await newScene();
    for (const question of [first, second]) await gradeAnswer(grader, id, question, { points: 1 });
    await gradeAnswer(grader, id, first, { points: 1, comment: 'The same' });
    expect(await gradeEvents(quiz, id)).toEqual([['graded', 2, 7.5]]);
    await gradeAnswer(grader, id, first, { points: 3 });
    expect(await gradeEvents(quiz, id)).toEqual([
      ['graded', 2, 7.5],
      ['graded', 4, 7.5],
    ]);
  });

  test('ungrading an answer removes the grade of its submission and keeps the history of the answer', async () => {
    const { grader, other, id, first, second } = await newScene();
    for (const question of [first, second])
      await gradeAnswer(grader, id, question, { points: 1, comment: 'One' });
    expect((await ungradeAnswer(other, id, first)).status).toBe(204);
    expect(await answerOf(grader, id, first)).toMatchObject({
      state: 'ungraded',
      points: null,
      comment: null,
    });
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({
      status: 'ungraded',
      grade: null,
    });
    expect(await gradeEvents(quiz, id)).toEqual([
      ['graded', 2, 7.5],
      ['ungraded', null, null],
    ]);
    expect(await answerHistory(grader, id, first)).toEqual([
      expect.objectContaining({
        points: null,
        max_points: 3,
        reason: 'removed',
        graded_by: { id: other.id, name: other.name },
      }),
      expect.objectContaining({
        points: 1,
        max_points: 3,
        reason: 'graded',
        comment: 'One',
        graded_by: { id: grader.id, name: grader.name },
      }),
    ]);
    expect((await ungradeAnswer(other, id, first)).status).toBe(204);
    expect(await answerHistory(grader, id, first)).toHaveLength(2);
  });

  test('a comment alone keeps the points, and leaves an ungraded answer without points', async () => {
    const { grader, id, first } = await newScene();
    const early = await gradeAnswer(grader, id, first, { comment: 'Good' });
    expect([early.status, early.body.errors]).toEqual([422, { points: ['The points field is required.'] }]);
    await gradeAnswer(grader, id, first, { points: 2, comment: 'Good' });
    const { body } = await gradeAnswer(grader, id, first, { comment: '' });
    expect(body.data).toMatchObject({ points: 2, comment: null, revision: 2 });
    const unchanged = await gradeAnswer(grader, id, first, { comment: null });
    expect(unchanged.body.data).toEqual(body.data);
  });

  test.each([
    ['more points than the maximum', { points: 3.0001 }, 'points'],
    ['negative points', { points: -1 }, 'points'],
    ['five decimals', { points: 0.00001 }, 'points'],
    ['a selection without a rubric', { selection: [], rubric_revision: 1 }, 'selection'],
    ['points and a selection', { points: 1, selection: [], rubric_revision: 1 }, 'selection'],
    ['a selection without a revision', { selection: [] }, 'rubric_revision'],
    ['a long comment', { points: 1, comment: 'x'.repeat(1_001) }, 'comment'],
  ])('%s is 422, even with a stale tag', async (_, body, field) => {
    const { grader, id, first } = await newScene();
    for (const answer of [
      await gradeAnswer(grader, id, first, body),
      await grader.put(answerPath(id, first), body, { 'if-match': '"old"' }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([422, 'Invalid Data']);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
  });

  test('a selection gives the points of the rubric of its question, and the uses of the items are counted', async () => {
    const { grader, id, first, second } = await newScene();
    const items = await addQuestionRubric(quiz, first, [0.1, 0.2, 5]);
    const [tenth, fifth, five] = items.map((item) => item.id) as [number, number, number];
    const selection = [tenth, fifth];
    const { body } = await gradeAnswer(grader, id, first, { selection, rubric_revision: 1, adjustment: 0.5 });
    expect(body.data).toMatchObject({ points: 0.8, selection, adjustment: 0.5, rubric_revision: 1 });
    const above = await gradeAnswer(grader, id, first, { selection: [five], rubric_revision: 1 });
    expect(above.body.data).toMatchObject({ points: 3, selection: [five], adjustment: 0 });
    const uses = await quiz.database.query<{ uses: number }>(
      'SELECT uses FROM quiz.question_rubric_items WHERE question_id = $1 ORDER BY id',
      [first],
    );
    expect(uses.map((row) => row.uses)).toEqual([0, 0, 1]);
    const [elsewhere] = await addQuestionRubric(quiz, second, [1]);
    const foreign = await gradeAnswer(grader, id, first, { selection: [elsewhere?.id], rubric_revision: 1 });
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['selection']]);
  });

  test('a selection from a different revision of the rubric is 412 with the current answer', async () => {
    const { grader, id, first } = await newScene();
    await addQuestionRubric(quiz, first, [1]);
    const { status, body } = await gradeAnswer(grader, id, first, { selection: [], rubric_revision: 2 });
    expect(status).toBe(412);
    expect(body).toEqual({
      message: 'Changed meanwhile',
      errors: null,
      data: await answerOf(grader, id, first),
    });
  });

  test('an empty selection in mode subtract gives full marks only if a grader sends it', async () => {
    const { grader, id, first } = await newScene();
    await addQuestionRubric(quiz, first, [1]);
    await quiz.database.query("UPDATE quiz.question_rubrics SET mode = 'subtract' WHERE question_id = $1", [
      first,
    ]);
    for (const body of [{}, { comment: 'Seen' }, { adjustment: 0 }, { rubric_revision: 1 }]) {
      const answer = await gradeAnswer(grader, id, first, body);
      expect([body, answer.status]).toEqual([body, 422]);
    }
    expect(await answerOf(grader, id, first)).toMatchObject({ state: 'ungraded', points: null });
    const chosen = await gradeAnswer(grader, id, first, { selection: [], rubric_revision: 1 });
    expect(chosen.body.data).toMatchObject({ points: 3, selection: [] });
  });
});

describe('conditions', () => {
  test('the checks run in the order 404, 428, 422, 412', async () => {
    const { grader, id, first } = await newScene();
    const elsewhere = await newScene();
    for (const path of [answerPath(id, elsewhere.first), answerPath(999_999, first)])
      for (const method of ['put', 'delete'] as const)
        expect((await grader[method](path, {})).status).toBe(404);
    const stranger = newGrader(quiz);
    expect((await stranger.put(answerPath(id, first), { points: 1 })).status).toBe(404);
    const without = await grader.put(answerPath(id, first), { points: 'many' });
    expect([without.status, without.body.message]).toEqual([428, 'Precondition Required']);
    expect((await grader.delete(answerPath(id, first))).status).toBe(428);
    const stale = await grader.put(answerPath(id, first), { points: 1 }, { 'if-match': '"old"' });
    expect([stale.status, stale.body.data]).toEqual([412, await answerOf(grader, id, first)]);
    expect(etagOf(stale)).toBe(stale.body.data.tag);
    expect((await grader.delete(answerPath(id, first), { 'if-match': '"old"' })).status).toBe(412);
  });

  test('the second grader of an answer does not overwrite the first, whose points they did not see', async () => {
    const { grader, other, id, first } = await newScene();
    const { tag } = await answerOf(other, id, first);
    const answers = await Promise.all(
      [grader, other].map((each, index) =>
        each.put(answerPath(id, first), { points: index }, { 'if-match': tag }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const points = answers.findIndex(({ status }) => status === 200);
    expect(answers.find(({ status }) => status === 412)?.body.data).toMatchObject({ points });
    expect(await answerHistory(grader, id, first)).toHaveLength(1);
  });

  test('two graders on two questions of a submission do not conflict, and its tag changes with the last answer', async () => {
    const { grader, other, id, first, second } = await newScene();
    const seen = await grader.get(submissionPath(id));
    const tags = seen.body.data.answers.map(({ tag }: { tag: string }) => tag);
    await gradeAnswer(grader, id, first, { points: 1 });
    const between = await grader.get(submissionPath(id));
    expect(etagOf(between)).toBe(etagOf(seen));
    expect(between.body.data.answers[1].tag).toBe(tags[1]);
    const answer = await other.put(answerPath(id, second), { points: 2 }, { 'if-match': tags[1] });
    expect(answer.status).toBe(200);
    expect(etagOf(await grader.get(submissionPath(id)))).not.toBe(etagOf(seen));
  });

  test('graders who grade all questions at the same time complete each submission once', async () => {
    const queue = await newQuestionQueue(
      quiz,
      3,
      Array.from({ length: 8 }, () => 1),
    );
    const graders = queue.questionIds.map(() => newGrader(quiz, queue.courseId));
    const answers = await Promise.all(
      queue.submissionIds.flatMap((id) =>
        queue.questionIds.map((question, index) =>
          graders[index]?.put(answerPath(id, question), { points: 0.1 }, { 'if-match': '*' }),
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    for (const id of queue.submissionIds) expect(await gradeEvents(quiz, id)).toEqual([['graded', 0.8, 8]]);
  });

  test('a repeated request with an Idempotency-Key takes effect once, and returns the tag of the first request', async () => {
    const { grader, other, id, first } = await newScene();
    const headers = {
      'if-match': (await answerOf(grader, id, first)).tag,
      'idempotency-key': `answer-${id}`,
    };
    const send = (points: number) => grader.put(answerPath(id, first), { points }, headers);
    const once = await send(1);
    expect((await send(1)).body).toEqual(once.body);
    await gradeAnswer(other, id, first, { points: 2 });
    const late = await send(1);
    expect([late.status, late.body.data.points, etagOf(late)]).toEqual([200, 2, etagOf(once)]);
    expect((await send(2)).status).toBe(422);
    expect(await answerHistory(grader, id, first)).toHaveLength(2);
  });
});

describe('a submission with questions', () => {
  test('a grade for the whole submission is 422, and a comment is accepted', async () => {
    const { grader, id, first, second } = await newScene();
    for (const body of [
      { grade: 1, total_grade: 2 },
      { selection: [], rubric_revision: 1 },
    ]) {
      const { status, body: answer } = await grade(grader, id, body);
      expect([status, answer.errors]).toEqual([422, { grade: ['The item is graded by question.'] }]);
    }
    const early = await grade(grader, id, { comment: 'Early' });
    expect(early.body.data).toMatchObject({ status: 'ungraded', comment: 'Early' });
    for (const question of [first, second]) await gradeAnswer(grader, id, question, { points: 1 });
    const late = await grade(grader, id, { comment: 'Late' });
    expect(late.body.data).toMatchObject({ grade: 2, comment: 'Late' });
    expect((await gradeEvents(quiz, id)).length).toBe(2);
  });

  test('a grade through endpoint 7 resets the answers, and stays until one of them is graded', async () => {
    const { grader, id, first, second } = await newScene();
    await gradeAnswer(grader, id, first, { points: 1, comment: 'One' });
    const body = { grade: 5, total_grade: 10 };
    expect((await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, quiz.admin, body)).status).toBe(200);
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({ ...body, graded_questions: 0 });
    expect((await answerHistory(grader, id, first))[0]).toMatchObject({ points: null, reason: 'removed' });
    await gradeAnswer(grader, id, second, { points: 4 });
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({
      status: 'ungraded',
      grade: null,
    });
    await gradeAnswer(grader, id, first, { points: 3 });
    expect(await gradeEvents(quiz, id)).toEqual([
      ['graded', 5, 10],
      ['ungraded', null, null],
      ['graded', 7, 7.5],
    ]);
  });

  test('a new upload resets the answers, and a grading of the earlier files is 412', async () => {
    const scene = await quiz.setUp();
    await quiz.upload(scene);
    const [row] = await quiz.database.query<{ id: number }>(
      'SELECT id FROM quiz.submissions WHERE quiz_id = $1',
      [scene.quizId],
    );
    const grader = newGrader(quiz, scene.courseId);
    const { questionIds } = await addQuestions(quiz, scene, [3, 4]);
    const [first, second] = questionIds;
    await gradeAnswer(grader, row?.id, first, { points: 1, comment: 'One' });
    const seen = await answersOf(grader, row?.id);
    expect((await quiz.upload(scene)).status).toBe(200);
    for (const [index, question] of questionIds.entries()) {
      const headers = { 'if-match': seen[index].tag };
      const late = await grader.put(answerPath(row?.id, question), { points: 2 }, headers);
      expect([late.status, late.body.data.state]).toEqual([412, 'ungraded']);
    }
    expect(await answerHistory(grader, row?.id, first)).toMatchObject([
      { points: null, reason: 'removed' },
      { points: 1, comment: 'One' },
    ]);
    expect(await answerHistory(grader, row?.id, second)).toEqual([]);
  });

  test('undoing the grade makes all answers ungraded', async () => {
    const { grader, id, first, second } = await newScene();
    for (const question of [first, second]) await gradeAnswer(grader, id, question, { points: 1 });
    const seen = await grader.get(submissionPath(id));
    expect((await grader.delete(`${submissionPath(id)}/grade`, { 'if-match': etagOf(seen) })).status).toBe(
      204,
    );
    expect((await answersOf(grader, id)).map(({ state }: { state: string }) => state)).toEqual([
      'ungraded',
      'ungraded',
    ]);
    expect((await answerHistory(grader, id, second))[0]).toMatchObject({ points: null, reason: 'removed' });
  });

  test('a grade given before the outline existed stays until an answer is graded', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    const [id] = queue.submissionIds;
    await grade(grader, id, { grade: 6 });
    const { questionIds } = await addQuestions(quiz, queue, [10]);
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({ grade: 6, graded_questions: 0 });
    await gradeAnswer(grader, id, questionIds[0], { points: 8 });
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({ grade: 8, total_grade: 10 });
  });

  test('the history of a question that the item never had is 422', async () => {
    const { grader, id } = await newScene();
    const { status, body } = await grader.get(`${submissionPath(id)}/history?question_id=999999`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['question_id']]);
  });

  test('a grading is audited without the text of its comment', async () => {
    const { grader, id, first } = await newScene();
    await gradeAnswer(grader, id, first, { points: 1, comment: 'Secret' });
    await ungradeAnswer(grader, id, first);
    const rows = await quiz.database.query<{ data: { action: string; changes: object } }>(
      `SELECT body->'data' AS data FROM quiz.outbox
       WHERE type = 'audit.recorded.v1' AND body->'data'->>'object_id' = $1 ORDER BY position`,
      [`${id}/${first}`],
    );
    expect(rows.map(({ data }) => [data.action, data.changes])).toEqual([
      ['answer.graded', { points: [null, 1], comment: [null, '(other text)'] }],
      ['answer.ungraded', { points: [1, null], comment: ['(text)', null] }],
    ]);
  });
});
