import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, grade, gradedEvents, newGrader, newQueue } from './graders.ts';
import {
  answerHistory,
  detailOf,
  gradeAnswers,
  makeQuestionRubric,
  newOutlineScene,
  outlineOf,
  putOutline,
  question,
  rubricPath,
} from './outlines.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

describe('the grades', () => {
  const graded = async (points: number[], questions?: object[]) => {
    const scene = await newOutlineScene(quiz, questions);
    await gradeAnswers(
      quiz,
      points.map((each, index) => ({
        submissionId: scene.id,
        questionId: scene.questions[index]?.id,
        points: each,
      })),
    );
    return scene;
  };
  const dryRun = async (scene: Awaited<ReturnType<typeof graded>>, questions: object[]) =>
    (await putOutline(scene.teacher, scene, questions, '?dry_run=1')).body.data;

  test('a new question makes a graded submission ungraded, and its removal grades it again', async () => {
    const scene = await graded([4, 2]);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 6, total_grade: 8 });
    const more = [...scene.questions, question('3')];
    expect(await dryRun(scene, more)).toEqual({
      ...{ regraded: 0, ungraded: 1, min_change: null, max_change: null, changes: [] },
    });
    await putOutline(scene.teacher, scene, more);
    expect(await detailOf(scene, scene.id)).toMatchObject({
      ...{ status: 'ungraded', grade: null, total_grade: null, graded_questions: 2 },
      answers: [{ points: 4 }, { points: 2 }, { label: '3', state: 'ungraded' }],
    });
    const ungraded = await quiz.database.query(
      `SELECT FROM quiz.outbox
       WHERE type = 'quiz.submission.ungraded.v1' AND body->'data'->>'submission_id' = $1::text`,
      [scene.id],
    );
    expect(ungraded.length).toBe(1);

    const student = expect.stringMatching(/^Ada Student/);
    expect(await dryRun(scene, scene.questions)).toEqual({
      ...{ regraded: 1, ungraded: 0, min_change: null, max_change: null },
      changes: [{ submission_id: scene.id, student_name: student, from: null, to: 6 }],
    });
    await putOutline(scene.teacher, scene, scene.questions);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 6, total_grade: 8 });
    expect((await gradedEvents(quiz, scene.id)).map((event) => [event.grade, event.total_grade])).toEqual([
      [6, 8],
      [6, 8],
    ]);
  });

  test('removing a question removes its points, and its history stays with an entry for the removal', async () => {
    const scene = await graded([4, 2]);
    const [one, two] = scene.questions;
    expect(await dryRun(scene, [one as object])).toMatchObject({
      regraded: 1,
      min_change: -2,
      max_change: -2,
    });
    await putOutline(scene.teacher, scene, [one as object]);
    expect(await detailOf(scene, scene.id)).toMatchObject({
      ...{ grade: 4, total_grade: 5, answers: [{ question_id: one?.id }] },
    });
    expect(await answerHistory(quiz, scene.id, two?.id)).toEqual([
      { points: 2, reason: 'graded', graded_by: 1 },
      { points: null, reason: 'removed', graded_by: scene.teacher.id },
    ]);
    const { body } = await scene.teacher.get(`${scene.submission}/history`);
    expect(body.data.map((each: { grade: number; reason: string }) => [each.grade, each.reason])).toEqual([
      [4, 'questions'],
      [6, 'questions'],
    ]);
  });

  test('removing all questions keeps the grades as grades of whole submissions', async () => {
    const scene = await graded([4, 2]);
    await putOutline(scene.teacher, scene, []);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 6, total_grade: 8, answers: [] });
    expect((await grade(scene.teacher, scene.id, { grade: 3, total_grade: 8 })).status).toBe(200);
    await putOutline(scene.teacher, scene, [question('new')]);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 3, answers: [{ state: 'ungraded' }] });
  });

  test('the first outline keeps earlier grades until an answer is graded, and then all answers must be graded', async () => {
    const queue = await newQueue(quiz, 1);
    const teacher = newGrader(quiz, queue.courseId);
    const [id = 0] = queue.submissionIds;
    await grade(teacher, id, { grade: 7 });
    const { body } = await putOutline(teacher, queue, [question('1'), question('2')]);
    const [one, two] = body.data.questions;
    expect(await detailOf({ teacher }, id)).toMatchObject({ grade: 7, total_grade: 10, revision: 1 });
    await gradeAnswers(quiz, [{ submissionId: id, questionId: one.id, points: 1 }]);
    expect(await detailOf({ teacher }, id)).toMatchObject({ grade: null, status: 'ungraded' });
    await gradeAnswers(quiz, [{ submissionId: id, questionId: two.id, points: 2 }]);
    expect(await detailOf({ teacher }, id)).toMatchObject({ grade: 3, total_grade: 10 });
  });

  test('a submission graded as a whole stays graded when questions are added, removed or replaced', async () => {
    const queue = await newQueue(quiz, 2);
    const teacher = newGrader(quiz, queue.courseId);
    const [whole, ungraded] = queue.submissionIds;
    await grade(teacher, whole, { grade: 7 });
    for (const labels of [['1', '2'], ['3'], ['3', '4'], []]) {
      const { status } = await putOutline(
        teacher,
        queue,
        labels.map((label) => question(label)),
      );
      expect(status).toBe(200);
      expect(await detailOf({ teacher }, whole)).toMatchObject({ grade: 7, total_grade: 10, revision: 1 });
      expect(await detailOf({ teacher }, ungraded)).toMatchObject({ status: 'ungraded' });
    }
  });

  test('a new maximum changes the total, and is 422 if it is below points already given', async () => {
    const scene = await graded([4, 2]);
    const [one, two] = scene.questions;
    const refused = await putOutline(scene.teacher, scene, [{ ...one, max_points: 3.9999 }, two as object]);
    expect([refused.status, refused.body.errors.questions]).toEqual([
      422,
      [expect.stringContaining('of 1 ')],
    ]);
    const larger = [{ ...one, max_points: 7 }, two as object];
    expect(await dryRun(scene, larger)).toMatchObject({ regraded: 1, min_change: 0, max_change: 0 });
    await putOutline(scene.teacher, scene, larger);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 6, total_grade: 10, revision: 2 });
  });

  test('a new maximum changes the rubric of the question, and regrades the answers', async () => {
    const scene = await newOutlineScene(quiz);
    const [one, two] = scene.questions;
    const body = { mode: 'subtract', items: [{ points: 2, text: 'Wrong sign' }] };
    const rubric = await makeQuestionRubric(scene.teacher, scene, one?.id, body);
    await gradeAnswers(quiz, [
      {
        ...{ submissionId: scene.id, questionId: one?.id, points: 3 },
        ...{ selection: [rubric.items[0]?.id], rubricRevision: rubric.revision },
      },
      { submissionId: scene.id, questionId: two?.id, points: 1 },
    ]);
    const before = await scene.teacher.get(rubricPath(scene, one?.id));
    const larger = [{ ...one, max_points: 6 }, two as object];
    expect(await dryRun(scene, larger)).toMatchObject({ regraded: 1, min_change: 1, max_change: 1 });
    await putOutline(scene.teacher, scene, larger);
    const after = await scene.teacher.get(rubricPath(scene, one?.id));
    expect(after.body.data).toMatchObject({ max_points: 6, revision: 2, items: [{ uses: 1 }] });
    expect(etagOf(after)).not.toBe(etagOf(before));
    expect(await detailOf(scene, scene.id)).toMatchObject({
      ...{ grade: 5, total_grade: 9, revision: 2, graded_by: { id: 1 } },
      answers: [{ points: 4, rubric_revision: 2 }, { points: 1 }],
    });
    expect(await answerHistory(quiz, scene.id, one?.id)).toMatchObject([
      { points: 3, reason: 'graded' },
      { points: 4, reason: 'rubric', graded_by: scene.teacher.id },
    ]);
  });

  test('a submission that arrives during a change has an answer to every question', async () => {
    const scene = await newOutlineScene(quiz, [question('1')], 0);
    const uploads = Array.from({ length: 5 }, async (_, index) => {
      const student = { ...scene, studentId: 20_000_000 + scene.quizId * 10 + index };
      await quiz.database.query(
        `INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
         VALUES ($1, $2, $3, now(), 30, now())`,
        [scene.quizId, scene.courseId, student.studentId],
      );
    });
    const changes = ['2', '3', '4'].map((label) =>
      scene.teacher.put(`${scene.path}/questions`, { questions: [question(label)] }, { 'if-match': '*' }),
    );
    await Promise.all([...uploads, ...changes]);
    const { questions } = await outlineOf(scene);
    const rows = await quiz.database.query(
      `SELECT a.question_id AS id, count(*)::int AS answers FROM quiz.answers a
       JOIN quiz.submissions s ON s.id = a.submission_id WHERE s.quiz_id = $1 GROUP BY 1`,
      [scene.quizId],
    );
    expect(rows).toEqual([{ id: questions[0]?.id, answers: 5 }]);
  });

  test('a dry run agrees with the change that follows it', async () => {
    const scene = await newOutlineScene(quiz, [question('1'), question('2')], 4);
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const grades = async () => {
      const details = await Promise.all(scene.submissionIds.map((id) => detailOf(scene, id)));
      return details.map(({ grade, total_grade: total }) => ({ grade, total }));
    };
    for (let round = 0; round < 25; round += 1) {
      const { questions } = await outlineOf(scene);
      await gradeAnswers(
        quiz,
        scene.submissionIds.flatMap((submissionId) =>
          questions
            .filter(() => random(3) > 0)
            .map(({ id: questionId }) => ({ submissionId, questionId, points: random(20) / 10 })),
        ),
      );
      const kept = questions
        .filter(() => random(4) > 0)
        .map((each) => ({ ...each, max_points: 2 + random(4) }));
      const added = random(3) === 0 || kept.length === 0 ? [question(`q${round}`, 1 + random(3))] : [];
      const before = await grades();
      const { body: dry } = await putOutline(scene.teacher, scene, [...kept, ...added], '?dry_run=1');
      expect((await putOutline(scene.teacher, scene, [...kept, ...added])).status).toBe(200);
      const after = await grades();
      const changed = after.flatMap(({ grade, total }, index) =>
        grade !== null && (grade !== before[index]?.grade || total !== before[index]?.total)
          ? [{ submission_id: scene.submissionIds[index], from: before[index]?.grade ?? null, to: grade }]
          : [],
      );
      const ungraded = after.filter(({ grade }, index) => grade === null && before[index]?.grade !== null);
      expect(dry.data).toMatchObject({
        regraded: changed.length,
        ungraded: ungraded.length,
        changes: changed,
      });
    }
  });

  test('a change is audited', async () => {
    const scene = await graded([4, 2]);
    await putOutline(scene.teacher, scene, scene.questions.slice(0, 1));
    const entries = await quiz.database.query<{ data: Record<string, unknown> }>(
      `SELECT body->'data' AS data FROM quiz.outbox WHERE type = 'audit.recorded.v1'
       AND body->'data'->>'action' = 'questions.changed' AND body->'data'->>'object_id' = $1::text ORDER BY position`,
      [scene.quizId],
    );
    expect(entries.at(-1)?.data).toMatchObject({
      ...{ object_type: 'quiz', actor_id: scene.teacher.id },
      changes: { revision: [1, 2], total_points: [8, 5], regraded: [0, 1] },
    });
  });
});
