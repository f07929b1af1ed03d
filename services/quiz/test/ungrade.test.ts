import { randomUUID } from 'node:crypto';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, type Grader, grade, makeRubric, newGrader, newQueue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** A submission that is graded with a rubric. */
async function newScene() {
  const queue = await newQueue(quiz, 1);
  const [id] = queue.submissionIds as [number];
  const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
  const rubric = { mode: 'add', max_points: 10, items: [{ points: 6, text: 'Six' }] };
  const { items, revision } = await makeRubric(grader, queue, rubric);
  const selection = items.map((item) => item.id);
  const graded = await grade(grader, id, { selection, rubric_revision: revision, comment: 'Good' });
  return { ...queue, queue, id, grader, other, graded, path: submissionPath(id) };
}

const undo = (grader: Grader, path: string, tag: string) =>
  grader.delete(`${path}/grade`, { 'if-match': tag });
const undoNow = async (grader: Grader, path: string) => undo(grader, path, etagOf(await grader.get(path)));

const ungradedEvents = async (id: number) =>
  (
    await quiz.database.query<{ data: object }>(
      `SELECT body->'data' AS data FROM quiz.outbox
       WHERE type = 'quiz.submission.ungraded.v1' AND body->'data'->>'submission_id' = $1::text`,
      [id],
    )
  ).map(({ data }) => data);

const ungraded = {
  status: 'ungraded',
  ...{ grade: null, total_grade: null, graded_by: null, graded_at: null, comment: null },
  ...{ selection: [], adjustment: 0, rubric_revision: null },
};

describe('undoing a grading', () => {
  test('undoing a grading makes the submission ungraded, in a new state that is published', async () => {
    const { grader, graded, path, id, quizId, courseId } = await newScene();
    const answer = await undo(grader, path, etagOf(graded));
    expect([answer.status, answer.body]).toEqual([204, null]);
    const after = await grader.get(path);
    expect(after.body.data).toMatchObject({ ...ungraded, revision: 2 });
    expect(etagOf(after)).not.toBe(etagOf(graded));
    expect(await ungradedEvents(id)).toEqual([
      {
        ...{ submission_id: id, quiz_id: quizId, course_id: courseId },
        ...{ student_id: graded.body.data.student.id, revision: 2 },
      },
    ]);
  });

  test('undoing a grading keeps it in the history, and adds an entry naming who undid it', async () => {
    const { grader, other, path } = await newScene();
    await undoNow(other, path);
    const { data } = (await grader.get(`${path}/history`)).body;
    expect(data).toEqual([
      {
        ...{ grade: null, total_grade: null, comment: null, selection: [], adjustment: 0 },
        ...{ rubric_revision: null, reason: 'ungraded' },
        graded_by: { id: other.id, name: other.name },
        graded_at: expect.any(String),
      },
      expect.objectContaining({ grade: 6, comment: 'Good', reason: 'graded' }),
    ]);
  });

  test('undoing a grading does not change the history of the specification, which lists grades', async () => {
    const { grader, path, id } = await newScene();
    await undoNow(grader, path);
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/grade/${id}/history`, quiz.admin);
    expect(body).toMatchObject({ data: [{ grade: 6, total_grade: 10 }], meta: { total: 1 } });
  });

  test('undoing a grading removes the grade from the counts, the statistics and the uses of the rubric', async () => {
    const { grader, path, queue } = await newScene();
    await undoNow(grader, path);
    const { data } = (await grader.get(`${queue.path}/statistics`)).body;
    expect(data).toMatchObject({ submissions: 1, graded: 0, mean: null, graders: [], rubric: [{ uses: 0 }] });
    expect((await grader.get(`${queue.path}/submissions`)).body.meta).toMatchObject({ total: 1, graded: 0 });
    expect((await grader.get(`${queue.path}/submissions?status=graded`)).body.data).toEqual([]);
  });

  test('undoing a grading returns the submission to the queue, where any grader can grade it again', async () => {
    const { grader, other, path, queue, id } = await newScene();
    await undoNow(grader, path);
    expect((await other.post(`${queue.path}/next`)).body.data).toMatchObject({ id });
    const again = await grade(other, id, { grade: 9 });
    expect(again.body.data).toMatchObject({ grade: 9, comment: null, revision: 3 });
  });

  test('undoing the grading of a submission without a grade changes nothing', async () => {
    const { grader, path, id } = await newScene();
    await undoNow(grader, path);
    const before = await grader.get(path);
    expect((await undo(grader, path, etagOf(before))).status).toBe(204);
    expect(etagOf(await grader.get(path))).toBe(etagOf(before));
    expect(await ungradedEvents(id)).toHaveLength(1);
    expect((await grader.get(`${path}/history`)).body.data).toHaveLength(2);
  });

  test('undoing a grading is audited with what it removed', async () => {
    const { grader, path, id } = await newScene();
    await undoNow(grader, path);
    const [entry] = await quiz.database.query<{ data: object }>(
      `SELECT body->'data' AS data FROM quiz.outbox
       WHERE type = 'audit.recorded.v1' AND body->'data'->>'action' = 'quiz.ungraded' AND body->'data'->>'object_id' = $1::text`,
      [id],
    );
    expect(entry?.data).toMatchObject({
      actor_id: grader.id,
      object_type: 'quiz_submission',
      changes: { grade: [6, null], total_grade: [10, null], comment: ['(text)', null] },
    });
  });
});

describe('undoing a grading is refused', () => {
  test('undoing a grading is refused without If-Match, with an outdated tag, and in another course', async () => {
    const { grader, graded, path, id } = await newScene();
    expect(await grader.delete(`${path}/grade`)).toMatchObject({
      status: 428,
      body: { message: 'Precondition Required' },
    });
    const again = await grade(grader, id, { grade: 3 });
    const stale = await undo(grader, path, etagOf(graded));
    expect(stale).toMatchObject({
      status: 412,
      body: { message: 'Changed meanwhile', data: { grade: 3, revision: 2 } },
    });
    expect(etagOf(stale)).toBe(etagOf(again));
    expect((await undo(newGrader(quiz), path, etagOf(again))).status).toBe(404);
    expect((await undo(newGrader(quiz, 1, 'user'), path, etagOf(again))).status).toBe(403);
    expect((await undo(grader, submissionPath(999_999), '*')).status).toBe(404);
    expect((await grader.get(path)).body.data.grade).toBe(3);
    expect((await undo(grader, path, '*')).status).toBe(204);
  });

  test('undoing a grading is refused if another grading is committed while it waits', async () => {
    const { grader, graded, path, id } = await newScene();
    const answer = await changeWhileWaiting({
      database: quiz.database,
      schema: 'quiz',
      lock: `SELECT 1 FROM submissions WHERE id = ${id} FOR UPDATE`,
      send: () => undo(grader, path, etagOf(graded)),
      change: `UPDATE submissions SET grade = 1, revision = revision + 1 WHERE id = ${id}`,
    });
    expect(answer).toMatchObject({ status: 412, body: { data: { grade: 1 } } });
  });
});

describe('the student of an undone grading', () => {
  test('the student of an undone grading sees no grade and may upload again, and annotations stay with the first sheet', async () => {
    const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
    const uploaded = await quiz.upload(scene);
    const grader = newGrader(quiz, scene.courseId);
    const { id, files } = (await grader.post(`/api/v3/grading/quizzes/${scene.quizId}/next`)).body.data;
    const mark = { id: randomUUID(), file_id: files[0].id, page: 1, kind: 'check', rect: [10, 20, 30, 40] };
    await grade(grader, id, { grade: 5, comment: 'Half', annotations: [mark] });
    expect((await quiz.upload(scene)).status).toBe(409);

    await undoNow(grader, submissionPath(id));
    expect((await grader.get(submissionPath(id))).body.data.annotations).toMatchObject([{ id: mark.id }]);
    const { data } = (await quiz.get(`/api/v3/quiz/submissions/${id}`, scene.student)).body;
    expect(data).toMatchObject({
      ...{ grade: null, comment: null, total_grade: null, graded_at: null, annotated_url: null },
    });
    expect((await quiz.upload(scene)).status).toBe(uploaded.status);
    expect((await grader.get(submissionPath(id))).body.data).toMatchObject({ ...ungraded, annotations: [] });
  });
});
