import type { LateRule } from '@gradeway/shared/items/item';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, type Grader, grade, newGrader, submissionPath } from './graders.ts';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const minute = 60_000;
const tenPercentAnHour: LateRule = {
  until: '2999-01-01T00:00:00.000Z',
  ...{ graceMinutes: 0, penaltyPercent: 10, per: 'hour', floorPercent: 0 },
};

interface LateScene extends Scene {
  id: number;
  teacher: Grader;
  submittedAt: Date;
  path: string;
}

/** A submission that was received 90 minutes after the quiz closed. */
async function newLateScene(rule: Partial<LateRule> = {}): Promise<LateScene> {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
  expect((await quiz.upload(scene)).status).toBe(200);
  const [row] = await quiz.database.query<{ id: number; at: Date }>(
    'SELECT id, submitted_at AS at FROM quiz.submissions WHERE quiz_id = $1',
    [scene.quizId],
  );
  const { id, at } = row as { id: number; at: Date };
  await set(scene, 'closes_at = $2, late = $3', [
    new Date(at.getTime() - 90 * minute),
    JSON.stringify({ ...tenPercentAnHour, ...rule }),
  ]);
  const teacher = newGrader(quiz, scene.courseId);
  return { ...scene, id, teacher, submittedAt: at, path: submissionPath(id) };
}

const set = ({ quizId }: Scene, columns: string, values: unknown[] = []) =>
  quiz.database.query(`UPDATE quiz.quizzes SET ${columns} WHERE id = $1`, [quizId, ...values]);

/** The lateness that graders and the student see, which must be the same everywhere. */
async function seen({ id, quizId, teacher, student, path }: LateScene) {
  const lateness = ({ late, final_grade }: { late: unknown; final_grade: unknown }) => ({
    late,
    final_grade,
  });
  const graders = [
    (await teacher.get(path)).body.data,
    (await teacher.get(`/api/v3/grading/quizzes/${quizId}/submissions`)).body.data[0],
  ].map(lateness);
  const students = [
    (await quiz.get(`/api/v3/quiz/submissions/${id}`, student)).body.data,
    (await quiz.get('/api/v3/quiz/submissions', student)).body.data[0],
  ].map(lateness);
  expect(graders[0]).toEqual(graders[1]);
  expect(students[0]).toEqual(students[1]);
  return { graders: graders[0], student: students[0] };
}

const late = (points: number | null) => ({ minutes: 90, penalty_percent: 20, points });
const stateEvents = async (id: number, type: string) => {
  const rows = await quiz.database.query<{ data: Record<string, unknown> }>(
    `SELECT body->'data' AS data FROM quiz.outbox
     WHERE type = $2 AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
    [id, `quiz.submission.${type}.v1`],
  );
  return rows.map(({ data }) => data);
};

describe('late work', () => {
  test('late work has its minutes and penalty before it is graded, and points and a final grade afterwards', async () => {
    const scene = await newLateScene();
    const ungraded = { late: late(null), final_grade: null };
    expect(await seen(scene)).toEqual({ graders: ungraded, student: ungraded });
    expect((await grade(scene.teacher, scene.id, { grade: 7.5 })).body.data).toMatchObject({
      ...{ grade: 7.5, late: late(1.5), final_grade: 6, late_waived: false },
    });
    const graded = { late: late(1.5), final_grade: 6 };
    expect(await seen(scene)).toEqual({ graders: graded, student: graded });
  });

  test('late work does not change the grade itself or the objects of the specification', async () => {
    const scene = await newLateScene();
    await grade(scene.teacher, scene.id, { grade: 7.5 });
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
    expect(body.data.submissions[0]).toEqual({
      ...{ id: scene.id, student_name: `Ada Student ${scene.studentId}` },
      ...{ grade: 7.5, total_grade: 10, is_marked: 1, pdf_answer_url: expect.any(String) },
    });
    const own = (await quiz.get(`/api/v3/quiz/submissions/${scene.id}`, scene.student)).body.data;
    expect(own).toMatchObject({ grade: 7.5, total_grade: 10 });
  });

  test('a change to the rule, the closing time or an allowance applies to work already handed in', async () => {
    const scene = await newLateScene();
    await grade(scene.teacher, scene.id, { grade: 8 });
    const finalGrade = async () => (await seen(scene)).student?.final_grade;
    expect(await finalGrade()).toBe(6.4);
    await set(scene, 'late = late || $2', [JSON.stringify({ penaltyPercent: 50, floorPercent: 25 })]);
    expect(await finalGrade()).toBe(2);
    await set(scene, "closes_at = closes_at + interval '45 minutes'");
    expect(await seen(scene)).toMatchObject({ student: { late: { minutes: 45 }, final_grade: 4 } });

    const allowance = `/api/v3/grading/quizzes/${scene.quizId}/allowances/${scene.studentId}`;
    const closes_at = new Date(scene.submittedAt.getTime() + minute).toISOString();
    await scene.teacher.put(allowance, { closes_at });
    const inTime = { late: null, final_grade: 8 };
    expect(await seen(scene)).toEqual({ graders: inTime, student: inTime });
    await scene.teacher.delete(allowance);
    expect(await finalGrade()).toBe(4);
    await set(scene, 'late = NULL');
    expect(await seen(scene)).toEqual({ graders: inTime, student: inTime });
  });

  test('late work for a deleted quiz stays late', async () => {
    const scene = await newLateScene();
    await grade(scene.teacher, scene.id, { grade: 5 });
    await set(scene, 'deleted_at = now()');
    const { body } = await scene.teacher.get(scene.path);
    expect(body.data).toMatchObject({ late: late(1), final_grade: 4 });
  });

  test('a student whose grade is hidden sees that the work is late, but neither points nor a final grade', async () => {
    const scene = await newLateScene();
    await grade(scene.teacher, scene.id, { grade: 5 });
    await set(scene, "release = 'manual'");
    const graded = { late: late(1), final_grade: 4 };
    expect(await seen(scene)).toEqual({
      graders: graded,
      student: { late: late(null), final_grade: null },
    });
    await set(scene, 'released_at = now()');
    expect(await seen(scene)).toEqual({ graders: graded, student: graded });
  });

  test('work that staff handed in is never late', async () => {
    const scene = await newLateScene();
    await grade(scene.teacher, scene.id, { grade: 5 });
    await quiz.database.query('UPDATE quiz.submissions SET submitted_by = 9 WHERE id = $1', [scene.id]);
    const inTime = { late: null, final_grade: 5 };
    expect(await seen(scene)).toEqual({ graders: inTime, student: inTime });
  });
});

describe('a waiver of the penalty', () => {
  const waive = (grader: Grader, { path }: LateScene, body: unknown = { waived: true }) =>
    grader.put(`${path}/late`, body);

  test('a teacher waives the penalty and revokes the waiver, and both are published and audited', async () => {
    const scene = await newLateScene();
    const { teacher, id } = scene;
    const graded = await grade(teacher, id, { grade: 5 });
    const waived = await waive(teacher, scene);
    expect(waived).toMatchObject({
      status: 200,
      body: { data: { id, grade: 5, late: null, final_grade: 5, late_waived: true } },
    });
    expect(etagOf(waived)).toBe(etagOf(graded));
    expect((await waive(teacher, scene)).status).toBe(200);
    expect((await waive(teacher, scene, { waived: false })).body.data).toMatchObject({
      ...{ late: late(1), final_grade: 4, late_waived: false },
    });
    const ids = { submission_id: id, quiz_id: scene.quizId, course_id: scene.courseId };
    const event = { ...ids, student_id: scene.studentId, submitted_at: scene.submittedAt.toISOString() };
    expect(await stateEvents(id, 'submitted')).toEqual([{ ...event, late_waived: false, state_revision: 1 }]);
    expect(await stateEvents(id, 'lateness.changed')).toEqual([
      { ...event, late_waived: true, state_revision: 2 },
      { ...event, late_waived: false, state_revision: 3 },
    ]);
    const audited = await quiz.database.query<{ data: object }>(
      `SELECT body->'data' AS data FROM quiz.outbox WHERE type = 'audit.recorded.v1'
         AND body->'data'->>'action' = 'lateness.changed' AND body->'data'->>'object_id' = $1::text ORDER BY position`,
      [id],
    );
    expect(audited.map(({ data }) => data)).toMatchObject([
      { actor_id: teacher.id, object_type: 'quiz_submission', changes: { late_waived: [false, true] } },
      { changes: { late_waived: [true, false] } },
    ]);
  });

  test('a waiver does not interfere with a grader working at the same time', async () => {
    const scene = await newLateScene();
    const read = await scene.teacher.get(scene.path);
    await waive(scene.teacher, scene);
    const answer = await scene.teacher.put(scene.path, { grade: 5 }, { 'if-match': etagOf(read) });
    expect([answer.status, answer.body.data.final_grade]).toEqual([200, 5]);
  });

  test("a later upload continues the revisions of the submission's state", async () => {
    const scene = await newLateScene();
    await waive(scene.teacher, scene);
    expect((await quiz.upload(scene)).status).toBe(200);
    expect(await stateEvents(scene.id, 'submitted')).toMatchObject([
      { state_revision: 1, late_waived: false },
      { state_revision: 3, late_waived: true },
    ]);
  });

  test('a waiver is refused to graders and others, for unknown submissions, and without a boolean', async () => {
    const scene = await newLateScene();
    const grader = newGrader(quiz, scene.courseId);
    quiz.peers.graders.add(`${grader.id}/${scene.courseId}`);
    const answers = [
      await waive(grader, scene, {}),
      await waive(newGrader(quiz), scene),
      await waive(scene.teacher, { ...scene, path: submissionPath(999_999) }),
      await waive(scene.teacher, scene, { waived: 'yes' }),
      await waive(scene.teacher, scene, {}),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [403, 'Unauthorized Access'],
      [404, 'Not Found'],
      [404, 'Not Found'],
      [422, 'Invalid Data'],
      [422, 'Invalid Data'],
    ]);
    expect((await scene.teacher.get(scene.path)).body.data.late_waived).toBe(false);
  });
});
