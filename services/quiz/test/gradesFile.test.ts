import { form } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Grader,
  grade,
  gradedEvents,
  newGrader,
  newQueue,
  type Queue,
  submissionPath,
} from './graders.ts';
import { makeAnonymous, setSettings } from './items.ts';
import { addQuestions } from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

interface Scene extends Queue {
  teacher: Grader;
}

async function newScene(count = 3, fields?: Record<string, string>): Promise<Scene> {
  const queue = await newQueue(quiz, count, fields);
  return { ...queue, teacher: newGrader(quiz, queue.courseId) };
}

const csv = (text: string | Uint8Array<ArrayBuffer>) => form({ file: new Blob([text]) }, 'grades.csv');

const dryRun = ({ teacher, path }: Scene, lines: string | string[]) =>
  teacher.post(`${path}/grades?dry_run=1`, csv(typeof lines === 'string' ? lines : lines.join('\r\n')));

const apply = ({ teacher, path }: Scene, token: string, caller = teacher) =>
  caller.post(`${path}/grades`, { token });

/** The address of the student with this number. */
const ada = (number: number) => `ada${number}@school.example`;

async function detail({ teacher, submissionIds }: Scene, index: number) {
  return (await teacher.get(submissionPath(submissionIds[index]))).body.data;
}

async function history({ teacher, submissionIds }: Scene, index: number) {
  return (await teacher.get(`${submissionPath(submissionIds[index])}/history`)).body.data;
}

describe('a dry run', () => {
  test('counts the changes that the file would make, and changes nothing', async () => {
    const scene = await newScene();
    await grade(scene.teacher, scene.submissionIds[0], { grade: 5 });
    const lines = ['email,grade,comment', `${ada(1)},5,`, `${ada(2)},7.25,Well done`, `${ada(3)},,`];
    const { status, body } = await dryRun(scene, lines);
    expect(status).toBe(200);
    expect(body.data).toEqual({ changes: 1, unchanged: 1, errors: [], token: expect.any(String) });
    expect(await detail(scene, 1)).toMatchObject({ status: 'ungraded', comment: null });
  });

  test('reports every invalid line, and returns no token', async () => {
    const scene = await newScene();
    const lines = [
      'Email,Grade,Comment,Total',
      `${ada(1)},11,`,
      `${ada(2)},-1,`,
      'nobody@school.example,3,',
      `${ada(3)},"1,5",`,
      `${ada(3)},,Only a comment`,
      ',4,',
      `${ada(1)},4,`,
      `${ada(2)},1.23456,${'x'.repeat(1_001)}`,
    ];
    const { body } = await dryRun(scene, lines);
    expect(body.data).toMatchObject({ changes: 0, unchanged: 0, token: null });
    expect(body.data.errors).toEqual([
      { line: 2, message: 'The grade may not be greater than the total grade.' },
      { line: 3, message: 'The grade must be a number.' },
      { line: 4, message: 'There is no submission of this student.' },
      { line: 5, message: 'The grade must be a number.' },
      { line: 6, message: 'Line 5 has the same student.' },
      { line: 7, message: 'A student_id or an email is required.' },
      { line: 8, message: 'Line 2 has the same student.' },
      { line: 9, message: 'Line 3 has the same student.' },
    ]);
  });

  test('a grade without a total or with too many decimals, and a comment alone or too long, are errors', async () => {
    const scene = await newScene(4, {});
    await setSettings(quiz, scene, 'total_grade = NULL');
    await grade(scene.teacher, scene.submissionIds[1], { grade: 5, total_grade: 20 });
    const lines = [
      'email,grade,comment',
      `${ada(1)},3,`,
      `${ada(2)},15.12345,`,
      `${ada(3)},,Alone`,
      `${ada(4)},3,${'x'.repeat(1_001)}`,
    ];
    expect((await dryRun(scene, lines)).body.data.errors).toEqual([
      { line: 2, message: 'The total grade field is required.' },
      { line: 3, message: expect.stringContaining('decimal') },
      { line: 4, message: 'The grade field is required.' },
      { line: 5, message: 'The comment may not be greater than 1000 characters.' },
    ]);
    // A submission keeps the total with which it was graded.
    expect((await dryRun(scene, ['email,grade', `${ada(2)},15`])).body.data).toMatchObject({
      changes: 1,
      errors: [],
    });
  });

  test.each([
    ['without students', 'grade\n1', 'lacks student_id or email'],
    ['without grades', 'email,Another quiz\na@b.example,1', 'lacks grade'],
    ['with a column twice', 'email,grade,grade\n', 'grade twice'],
    ['that is empty', '', 'empty'],
  ])('a file %s is refused', async (_, text, message) => {
    const { status, body } = await dryRun(await newScene(), text);
    expect([status, body.errors]).toEqual([422, { file: [expect.stringContaining(message)] }]);
  });

  test('a malformed CSV line is reported as an error in that line, after those of earlier lines', async () => {
    const lines = ['email,grade', `${ada(1)},11`, `${ada(2)},"2"x`, `${ada(3)},12`];
    const { errors, token } = (await dryRun(await newScene(), lines)).body.data;
    expect([token, ...errors.map(({ line }: { line: number }) => line)]).toEqual([null, 2, 3]);
  });

  test('a decimal comma without quotation marks is an error, not a smaller grade', async () => {
    const { body } = await dryRun(await newScene(), ['email,grade', `${ada(1)},7,5`, `${ada(2)},7,`]);
    expect(body.data.errors).toEqual([
      { line: 2, message: 'The row has more cells than the first line has columns.' },
    ]);
  });

  test('a file without a dry run is refused, as is a request with neither a file nor a token', async () => {
    const { teacher, path } = await newScene();
    expect((await teacher.post(`${path}/grades`, csv('email,grade'))).body.errors).toHaveProperty('dry_run');
    expect((await teacher.post(`${path}/grades`, {})).body.errors).toHaveProperty('token');
    expect((await teacher.post(`${path}/grades?dry_run=1`, form({}))).body.errors).toHaveProperty('file');
    expect((await teacher.post(`${path}/grades`, { token: 'unknown' })).body.errors).toHaveProperty('token');
  });
});

describe('applying it', () => {
  test('each changed line is a grading with its history and event', async () => {
    const scene = await newScene();
    await grade(scene.teacher, scene.submissionIds[0], { grade: 5, comment: 'Fine' });
    const colleague = newGrader(quiz, scene.courseId);
    const lines = ['email,grade,comment', `${ada(1)},6,`, `${ada(2)},7.25,=Well done`];
    const { token } = (await dryRun({ ...scene, teacher: colleague }, lines)).body.data;
    for (const _ of ['once', 'once more']) {
      const { status, body } = await apply(scene, token, colleague);
      expect([status, body]).toEqual([200, { data: { changes: 2, unchanged: 0, errors: [], token: null } }]);
    }
    const by = { graded_by: { id: colleague.id, name: colleague.name } };
    expect(await detail(scene, 0)).toMatchObject({ grade: 6, total_grade: 10, comment: 'Fine', ...by });
    expect(await detail(scene, 1)).toMatchObject({ grade: 7.25, comment: '=Well done', ...by });
    expect(await history(scene, 0)).toMatchObject([
      { grade: 6, reason: 'graded', ...by },
      { grade: 5, reason: 'graded' },
    ]);
    expect(await gradedEvents(quiz, scene.submissionIds[0])).toMatchObject([
      { grade: 5, revision: 1 },
      { grade: 6, revision: 2, graded_by: colleague.id },
    ]);
    expect(await gradedEvents(quiz, scene.submissionIds[1])).toHaveLength(1);
    expect(await gradedEvents(quiz, scene.submissionIds[2])).toEqual([]);
    const audited = await quiz.database.query(
      `SELECT FROM quiz.outbox WHERE body->'data'->>'action' = 'quiz.graded' AND body->'data'->>'object_id' = ANY($1)`,
      [scene.submissionIds.map(String)],
    );
    expect(audited).toHaveLength(3);
  });

  test('a comment alone keeps the grade and the selection of the rubric', async () => {
    const scene = await newScene(1);
    const items = [{ points: 6, text: 'Six' }];
    const rubric = await scene.teacher.put(
      `${scene.path}/rubric`,
      { mode: 'add', max_points: 10, items },
      { 'if-none-match': '*' },
    );
    const selection = [rubric.body.data.items[0].id];
    await grade(scene.teacher, scene.submissionIds[0], { selection, rubric_revision: 1 });
    const { token } = (await dryRun(scene, ['email,grade,comment', `${ada(1)},6,Good`])).body.data;
    await apply(scene, token);
    expect(await detail(scene, 0)).toMatchObject({ grade: 6, comment: 'Good', selection });
  });

  test('a grading between the dry run and the application is a conflict, and nothing is graded', async () => {
    const scene = await newScene();
    const { token } = (await dryRun(scene, ['email,grade', `${ada(1)},1`, `${ada(2)},2`])).body.data;
    await grade(newGrader(quiz, scene.courseId), scene.submissionIds[1], { grade: 9 });
    const { status, body } = await apply(scene, token);
    expect([status, body]).toEqual([409, { message: 'Changed meanwhile', errors: null }]);
    expect(await detail(scene, 0)).toMatchObject({ status: 'ungraded' });
    expect(await detail(scene, 1)).toMatchObject({ grade: 9 });
    expect(await gradedEvents(quiz, scene.submissionIds[0])).toEqual([]);
  });

  test('simultaneous gradings and files never overwrite a grading that they have not seen', async () => {
    const scene = await newScene(20);
    const { teacher, submissionIds } = scene;
    const lines = submissionIds.map((_, index) => `${ada(index + 1)},1`);
    const tokens = await Promise.all(
      [1, 2].map(async () => (await dryRun(scene, ['email,grade', ...lines])).body.data.token),
    );
    const results = await Promise.all([
      ...tokens.map((token) => apply(scene, token)),
      grade(teacher, submissionIds[10], { grade: 9 }),
    ]);
    const applied = results.slice(0, 2).filter(({ status }) => status === 200).length;
    expect(applied).toBeLessThanOrEqual(1);
    expect(results.every(({ status }) => [200, 409, 412].includes(status))).toBe(true);
    const grades = await quiz.database.query<{ grade: number }>(
      'SELECT DISTINCT grade::float8 AS grade FROM quiz.submissions WHERE quiz_id = $1 AND id <> $2',
      [scene.quizId, submissionIds[10]],
    );
    expect(grades).toEqual([{ grade: applied === 1 ? 1 : null }]);
  });

  test('a token is valid only for its item and its person', async () => {
    const scene = await newScene();
    const other = await newScene();
    const { token } = (await dryRun(scene, ['email,grade', `${ada(1)},1`])).body.data;
    expect((await apply(other, token)).status).toBe(422);
    expect((await apply(scene, token, newGrader(quiz, scene.courseId))).status).toBe(422);
    expect((await apply(scene, token)).status).toBe(200);
  });

  test('5,000 lines are applied', async () => {
    const scene = await newScene(5_000);
    const lines = scene.submissionIds.map((_, index) => `${ada(index + 1)},${index % 11},Comment ${index}`);
    const { body } = await dryRun(scene, ['email,grade,comment', ...lines]);
    expect(body.data).toMatchObject({ changes: 5_000, unchanged: 0, errors: [] });
    expect((await apply(scene, body.data.token)).status).toBe(200);
    expect((await dryRun(scene, ['email,grade,comment', ...lines])).body.data).toMatchObject({
      changes: 0,
      unchanged: 5_000,
    });
  }, 120_000);
});

describe('the file', () => {
  test('semicolons, decimal commas and Windows-1252 are accepted', async () => {
    const scene = await newScene();
    const text = `Prénom;email;grade;comment\nÉva;${ada(1)};7,5;Très bien\nOtto;${ada(2)};8.5;\n`;
    const { body } = await scene.teacher.post(
      `${scene.path}/grades?dry_run=1`,
      csv(new Uint8Array(Buffer.from(text, 'latin1'))),
    );
    await apply(scene, body.data.token);
    expect(await detail(scene, 0)).toMatchObject({ grade: 7.5, comment: 'Très bien' });
    expect(await detail(scene, 1)).toMatchObject({ grade: 8.5, comment: null });
  });

  test('a student_id and an email of different students are an error', async () => {
    const scene = await newScene();
    const { student } = await detail(scene, 0);
    const lines = (email: string) => ['student_id,email,grade', `${student.id},${email},3`];
    expect((await dryRun(scene, lines(ada(2)))).body.data.errors).toHaveLength(1);
    expect((await dryRun(scene, lines(ada(1).toUpperCase()))).body.data).toMatchObject({
      changes: 1,
      errors: [],
    });
  });

  test.each([
    ['its title', 'Quiz', (title: string) => title],
    ['an escaped title', '=Quiz, "1"', (title: string) => `"'${title.replaceAll('"', '""')}"`],
    ['its title and id', 'Quiz', (title: string, id: number) => `${title} (${id})`],
    ['its title, kind and id', 'Quiz', (title: string, id: number) => `${title} (quiz ${id})`],
  ])('the column of the item is found by %s', async (_, title, heading) => {
    const scene = await newScene(1, { title, total_grade_for_quiz_pdf: '10' });
    const { body } = await dryRun(scene, [`email,${heading(title, scene.quizId)},points`, `${ada(1)},4,100`]);
    expect(body.data).toMatchObject({ changes: 1, errors: [] });
  });

  test('gradebook grades are compared after the deduction for late work', async () => {
    const scene = await newScene(2);
    const rule = {
      until: '2999-01-01T00:00:00.000Z',
      graceMinutes: 0,
      penaltyPercent: 10,
      per: 'once',
      floorPercent: 0,
    };
    await quiz.database.query('UPDATE quiz.quizzes SET closes_at = $2, late = $3 WHERE id = $1', [
      scene.quizId,
      new Date('2026-11-21T10:00:01.500Z'),
      JSON.stringify(rule),
    ]);
    for (const id of scene.submissionIds) await grade(scene.teacher, id, { grade: 10 });
    const file = (second: number, column = 'Quiz') => [
      `email,${column}`,
      `${ada(1)},10`,
      `${ada(2)},${second}`,
    ];
    expect((await dryRun(scene, file(9))).body.data).toMatchObject({ changes: 0, unchanged: 2, errors: [] });
    expect((await dryRun(scene, file(8))).body.data.errors).toEqual([
      { line: 3, message: expect.stringContaining('before the deduction') },
    ]);
    expect((await dryRun(scene, file(8, 'grade'))).body.data).toMatchObject({
      changes: 1,
      unchanged: 1,
      errors: [],
    });
  });
});

describe('who may', () => {
  test('a teacher of another course finds nothing, and a grader is refused', async () => {
    const scene = await newScene();
    const stranger = newGrader(quiz, (await newScene()).courseId);
    const grader = newGrader(quiz, scene.courseId);
    quiz.peers.graders.add(`${grader.id}/${scene.courseId}`);
    const status = async (teacher: Grader) => (await dryRun({ ...scene, teacher }, 'email,grade')).status;
    expect(await status(stranger)).toBe(404);
    expect(await status(grader)).toBe(403);
    expect(await status(newGrader(quiz, undefined, 'admin'))).toBe(200);
    expect((await scene.teacher.post('/api/v3/grading/quizzes/999999/grades', { token: 'x' })).status).toBe(
      404,
    );
  });

  test('an anonymous item takes no file, because it names students', async () => {
    const scene = await newScene();
    const { token } = (await dryRun(scene, ['email,grade', `${ada(1)},1`])).body.data;
    await makeAnonymous(quiz, scene);
    for (const answer of [await dryRun(scene, 'email,grade'), await apply(scene, token)])
      expect([answer.status, answer.body.message]).toEqual([409, 'Anonymous item']);
  });

  test('an item with questions takes comments and unchanged grades, and other grades only by question', async () => {
    const scene = await newScene();
    await grade(scene.teacher, scene.submissionIds[0], { grade: 5 });
    const earlier = (await dryRun(scene, ['email,grade', `${ada(1)},6`])).body.data;
    await addQuestions(quiz, scene, [10]);
    expect((await apply(scene, earlier.token)).status).toBe(409);
    const changed = (await dryRun(scene, ['email,grade', `${ada(1)},6`, `${ada(2)},1`])).body.data;
    const message = 'The item is graded by question.';
    const errors = [2, 3].map((line) => ({ line, message }));
    expect(changed).toEqual({ changes: 0, unchanged: 0, errors, token: null });
    const commented = (await dryRun(scene, ['email,grade,comment', `${ada(1)},5,`, `${ada(2)},,Fine`])).body
      .data;
    expect(commented).toMatchObject({ changes: 1, unchanged: 1, errors: [] });
    expect((await apply(scene, commented.token)).status).toBe(200);
    expect(await detail(scene, 1)).toMatchObject({ status: 'ungraded', comment: 'Fine' });
  });
});
