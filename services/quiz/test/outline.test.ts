import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, grade, gradedEvents, makeRubric, newGrader, newQueue } from './graders.ts';
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

const region = { page: 1, rect: [50, 400, 300, 100] };

describe('the outline', () => {
  test('an item without questions has an empty outline with a tag', async () => {
    const queue = await newQueue(quiz, 0);
    const answer = await newGrader(quiz, queue.courseId).get(`${queue.path}/questions`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { revision: 0, questions: [], total_points: 0 } },
    ]);
    expect(etagOf(answer)).toMatch(/^"/);
  });

  test('a new outline has ids, positions and the exact total, which becomes that of the quiz', async () => {
    const queue = await newQueue(quiz, 0);
    const teacher = newGrader(quiz, queue.courseId);
    const answer = await putOutline(teacher, queue, [
      question('1', 0.1, { title: 'Sets' }),
      question('2a', 0.2, { region }),
    ]);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      {
        revision: 1,
        questions: [
          {
            ...{ id: expect.any(Number), label: '1', title: 'Sets', max_points: 0.1, region: null },
            ...{ position: 1, rubric: null, graded: 0 },
          },
          {
            ...{ id: expect.any(Number), label: '2a', title: null, max_points: 0.2, region },
            ...{ position: 2, rubric: null, graded: 0 },
          },
        ],
        total_points: 0.3,
      },
    ]);
    const read = await teacher.get(`${queue.path}/questions`);
    expect([read.body, etagOf(read)]).toEqual([answer.body, etagOf(answer)]);
    const item = await teacher.get(queue.path);
    expect(item.body.data.total_grade).toBe(0.3);
    const events = await quiz.database.query<{ total: number }>(
      `SELECT (body->'data'->>'total_grade')::float8 AS total FROM quiz.outbox
       WHERE type = 'quiz.changed.v1' AND body->'data'->>'id' = $1::text ORDER BY position`,
      [queue.quizId],
    );
    expect(events.map(({ total }) => total)).toEqual([10, 0.3]);
  });

  test('a change keeps questions by id, with another order, label and region', async () => {
    const scene = await newOutlineScene(quiz);
    const [one, two] = scene.questions;
    const changed = await putOutline(scene.teacher, scene, [
      { ...two, label: '1' },
      { ...one, label: '2', region },
    ]);
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      revision: 2,
      questions: [
        { id: two?.id, label: '1', position: 1, region: null },
        { id: one?.id, label: '2', position: 2, region },
      ],
    });
  });

  test('a region survives every other change that keeps it, and changes of rubrics', async () => {
    const scene = await newOutlineScene(quiz, [question('1', 5, { region }), question('2')]);
    const [one, two] = scene.questions;
    await makeQuestionRubric(scene.teacher, scene, one?.id, {
      mode: 'add',
      items: [{ points: 1, text: 'One' }],
    });
    await putOutline(scene.teacher, scene, [{ ...one, max_points: 6 }, question('3')]);
    const { questions } = await outlineOf(scene);
    expect(questions.map((each) => [each.label, each.region])).toEqual([
      ['1', region],
      ['3', null],
    ]);
    expect(questions.some(({ id }) => id === two?.id)).toBe(false);
  });

  test('the tag does not depend on gradings or rubrics', async () => {
    const scene = await newOutlineScene(quiz);
    const before = etagOf(await scene.teacher.get(`${scene.path}/questions`));
    const [one] = scene.questions;
    await makeQuestionRubric(scene.teacher, scene, one?.id, {
      mode: 'add',
      items: [{ points: 1, text: 'One' }],
    });
    await gradeAnswers(quiz, [{ submissionId: scene.id, questionId: one?.id, points: 2 }]);
    const after = await scene.teacher.get(`${scene.path}/questions`);
    expect(etagOf(after)).toBe(before);
    expect(after.body.data.questions[0]).toMatchObject({ graded: 1, rubric: { revision: 1 } });
  });
});

describe('the conditions of a change', () => {
  test('a change without If-Match is 428, and with a stale tag 412 with the present outline', async () => {
    const { teacher, path } = await newOutlineScene(quiz);
    const missing = await teacher.put(`${path}/questions`, { questions: [] });
    expect([missing.status, missing.body.message]).toEqual([428, 'Precondition Required']);
    const present = await teacher.get(`${path}/questions`);
    const stale = await teacher.put(`${path}/questions`, { questions: [] }, { 'if-match': '"old"' });
    expect([stale.status, stale.body]).toEqual([
      412,
      { message: 'Changed meanwhile', errors: null, data: present.body.data },
    ]);
    expect(etagOf(stale)).toBe(etagOf(present));
  });

  test.each([
    ['no questions', {}],
    ['101 questions', { questions: Array.from({ length: 101 }, (_, index) => question(`${index}`, 1)) }],
    ['an empty label', { questions: [question('')] }],
    ['a label of 21 characters', { questions: [question('x'.repeat(21))] }],
    ['the same label twice', { questions: [question('1'), question('1')] }],
    ['a title of 201 characters', { questions: [question('1', 5, { title: 'x'.repeat(201) })] }],
    ['no points', { questions: [question('1', 0)] }],
    ['a million points', { questions: [question('1', 1_000_000)] }],
    ['a total of a million points', { questions: [question('1', 500_000), question('2', 500_000)] }],
    ['five decimals', { questions: [question('1', 0.00001)] }],
    ['a region without a page', { questions: [question('1', 5, { region: { rect: [0, 0, 1, 1] } })] }],
    ['a negative width', { questions: [question('1', 5, { region: { page: 1, rect: [0, 0, -1, 1] } })] }],
    ['an unknown question', { questions: [question('1', 5, { id: 2_000_000_000 })] }],
  ])('an outline with %s is 422 at questions', async (_, body) => {
    const { path, courseId } = await newQueue(quiz, 0);
    const teacher = newGrader(quiz, courseId);
    const answer = await teacher.put(`${path}/questions`, body, { 'if-match': '*' });
    expect([answer.status, answer.body.message, Object.keys(answer.body.errors)]).toEqual([
      422,
      'Invalid Data',
      ['questions'],
    ]);
  });

  test('an outline with a question twice, or with one of another item, is 422', async () => {
    const [scene, other] = [await newOutlineScene(quiz), await newOutlineScene(quiz)];
    const [one] = scene.questions;
    for (const questions of [[one, { ...one, label: 'x' }], other.questions])
      expect((await putOutline(scene.teacher, scene, questions as object[])).status).toBe(422);
  });

  test('a region outside the question sheet is 422, and any is accepted without a sheet', async () => {
    const scene = await quiz.setUp({ file: quiz.pdf });
    const path = `/api/v3/grading/quizzes/${scene.quizId}`;
    const teacher = newGrader(quiz, scene.courseId);
    const put = (page: number, x: number) =>
      putOutline(teacher, { path }, [question('2b', 5, { region: { page, rect: [x, 0, 10, 10] } })]);
    expect((await put(1, 0)).status).toBe(200);
    for (const outside of [await put(2, 0), await put(1, 5_000)])
      expect([outside.status, outside.body.errors.questions]).toEqual([422, [expect.stringContaining('2b')]]);
    const without = await newQueue(quiz, 0);
    const far = question('1', 5, { region: { page: 9, rect: [5_000, 0, 10, 10] } });
    expect((await putOutline(newGrader(quiz, without.courseId), without, [far])).status).toBe(200);
  });

  test('a grader reads the outline and may not change it', async () => {
    const scene = await newOutlineScene(quiz);
    const grader = newGrader(quiz, scene.courseId);
    quiz.peers.graders.add(`${grader.id}/${scene.courseId}`);
    expect((await grader.get(`${scene.path}/questions`)).status).toBe(200);
    const answer = await putOutline(grader, scene, []);
    expect([answer.status, answer.body.message]).toEqual([403, 'Unauthorized Access']);
  });

  test('an item has questions or a rubric, never both', async () => {
    const withRubric = await newQueue(quiz, 0);
    const teacher = newGrader(quiz, withRubric.courseId);
    const rubric = { mode: 'add', max_points: 10, items: [{ points: 1, text: 'One' }] };
    await makeRubric(teacher, withRubric, rubric);
    for (const query of ['', '?dry_run=1']) {
      const refused = await putOutline(teacher, withRubric, [question('1')], query);
      expect([refused.status, refused.body.message]).toEqual([409, 'The item has a rubric']);
    }
    expect((await putOutline(teacher, withRubric, [])).status).toBe(200);

    const scene = await newOutlineScene(quiz);
    for (const query of ['', '?dry_run=1']) {
      const refused = await scene.teacher.put(`${scene.path}/rubric${query}`, rubric, {
        'if-none-match': '*',
      });
      expect([refused.status, refused.body.message]).toEqual([409, 'The item has questions']);
    }
  });

  test('of an outline and a rubric that are made at once, one is refused', async () => {
    for (let time = 0; time < 5; time += 1) {
      const queue = await newQueue(quiz, 0);
      const teacher = newGrader(quiz, queue.courseId);
      const rubric = { mode: 'add', max_points: 10, items: [{ points: 1, text: 'One' }] };
      const answers = await Promise.all([
        putOutline(teacher, queue, [question('1')]),
        teacher.put(`${queue.path}/rubric`, rubric, { 'if-none-match': '*' }),
      ]);
      expect(answers.filter(({ status }) => status === 409).length).toBe(1);
    }
  });

  test('the total grade of a quiz with questions cannot be set, but sent unchanged', async () => {
    const scene = await newOutlineScene(quiz);
    const refused = await scene.teacher.patch(scene.path, { total_grade: 20 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['total_grade']]);
    const byAdministrator = await quiz.patch(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, {
      total_grade_for_quiz_pdf: '20',
    });
    expect(byAdministrator.status).toBe(422);
    expect((await scene.teacher.patch(scene.path, { total_grade: 8, title: 'Exam' })).status).toBe(200);
  });
});

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

  test('a removed question takes its points, and its history stays with an entry of the removal', async () => {
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

  test('an outline without questions leaves the grades as graded whole', async () => {
    const scene = await graded([4, 2]);
    await putOutline(scene.teacher, scene, []);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 6, total_grade: 8, answers: [] });
    expect((await grade(scene.teacher, scene.id, { grade: 3, total_grade: 8 })).status).toBe(200);
    await putOutline(scene.teacher, scene, [question('new')]);
    expect(await detailOf(scene, scene.id)).toMatchObject({ grade: 3, answers: [{ state: 'ungraded' }] });
  });

  test('the first outline leaves earlier grades until an answer is graded, and then needs the rest', async () => {
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

  test('a submission that is graded whole stays so with more, fewer and other questions', async () => {
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

  test('another maximum changes the total, and is 422 below points that were given', async () => {
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

  test('another maximum changes the rubric of the question, and regrades the answers', async () => {
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

  test('a change is in the audit log', async () => {
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

test('a copy of a quiz has its questions and their rubrics, with ids of its own', async () => {
  const scene = await newOutlineScene(quiz, [question('1', 5, { region }), question('2', 3)]);
  const [one] = scene.questions;
  const items = [{ points: 1, text: 'One', key: '1' }];
  await makeQuestionRubric(scene.teacher, scene, one?.id, { mode: 'add', items });
  const { status, body } = await scene.teacher.post(`${scene.path}/copy`, { course_id: scene.courseId });
  expect(status).toBe(201);
  expect(body.data.total_grade).toBe(8);
  const copy = await outlineOf({ ...scene, path: `/api/v3/grading/quizzes/${body.data.id}` });
  const original = await outlineOf(scene);
  expect(copy.questions.map(({ label, max_points, region }) => ({ label, max_points, region }))).toEqual(
    original.questions.map(({ label, max_points, region }) => ({ label, max_points, region })),
  );
  expect(copy.questions[0]?.rubric).toMatchObject({
    revision: 1,
    max_points: 5,
    items: [{ text: 'One', uses: 0 }],
  });
  const ids = [...copy.questions, ...original.questions].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(copy.questions[0]?.rubric?.items[0]?.id).not.toBe(original.questions[0]?.rubric?.items[0]?.id);
});
