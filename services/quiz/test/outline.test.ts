import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, makeRubric, newGrader, newQueue } from './graders.ts';
import {
  gradeAnswers,
  makeQuestionRubric,
  newOutlineScene,
  outlineOf,
  putOutline,
  question,
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

  test('a change keeps questions by id, with a new order, label and region', async () => {
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
  test('a change without If-Match is 428, and with a stale tag 412 with the current outline', async () => {
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

  test('an outline that repeats a question or contains one from another item is 422', async () => {
    const [scene, other] = [await newOutlineScene(quiz), await newOutlineScene(quiz)];
    const [one] = scene.questions;
    for (const questions of [[one, { ...one, label: 'x' }], other.questions])
      expect((await putOutline(scene.teacher, scene, questions as object[])).status).toBe(422);
  });

  test('a region outside the question sheet is 422, and any region is accepted without a sheet', async () => {
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

  test('when an outline and a rubric are created at the same time, one is refused', async () => {
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

  test('the total grade of a quiz with questions can be sent unchanged, but cannot be changed', async () => {
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

test('a copy of a quiz has its questions and their rubrics, with new ids', async () => {
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
