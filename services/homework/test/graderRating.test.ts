import { randomUUID } from 'node:crypto';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkService, type Scene, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

let lastGrader = 1_000_000;

function newGrader(courseId: number) {
  lastGrader += 1;
  const account = { firstName: 'Grace', lastName: `Grader ${lastGrader}`, email: '' };
  homework.peers.users.push({
    userId: lastGrader,
    ...account,
    role: 'instructor',
    isBlocked: false,
    revision: 1,
  });
  homework.peers.teaching.add(`${lastGrader}/${courseId}`);
  const token = homework.tokens.sign(lastGrader, 'instructor');
  return { ...createHttpClient({ baseUrl: homework.service.url, token }), id: lastGrader };
}

async function newScene(names = ['a.pdf', 'b.pdf']) {
  const scene = await homework.setUp({ assignment_deadline: '2099-11-21T19:05:00' });
  const submission = await homework.submitted(scene.classId, scene.student, names);
  const grader = newGrader(scene.courseId);
  const item = `/api/v3/grading/homeworks/${scene.classId}`;
  return {
    ...scene,
    submission,
    grader,
    item,
    path: `/api/v3/grading/homeworks/submissions/${submission.id}`,
  };
}

const etagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? '';

async function grade(grader: HttpClient, path: string, body: object) {
  return grader.put(path, body, { 'if-match': etagOf(await grader.get(path)) });
}

const rubric = (points: number[], change: object = {}) => ({
  mode: 'add',
  max_points: 10,
  items: points.map((each) => ({ points: each, text: `${each} points` })),
  ...change,
});

async function makeRubric(grader: HttpClient, item: string, points: number[]) {
  const { body } = await grader.put(`${item}/rubric`, rubric(points), { 'if-none-match': '*' });
  return body.data as { revision: number; items: { id: number; points: number; text: string }[] };
}

const gradedEvents = async (id: number) =>
  (
    await homework.rows<{ data: Record<string, unknown> }>(
      `SELECT body->'data' AS data FROM homework.outbox
       WHERE type = 'homework.submission.graded.v1' AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
      id,
    )
  ).map(({ data }) => data);

describe('the queue of homework', () => {
  test('the queue of homework lists assignments with their deadline and a total of 10', async () => {
    const { grader, classId, courseId } = await newScene();
    const { body } = await grader.get('/api/v3/grading/homeworks');
    expect(body.data).toEqual([
      {
        id: classId,
        title: `Class ${classId}`,
        course_id: courseId,
        course_title: `Course ${courseId}`,
        total_grade: 10,
        ...{ published: true, release: 'immediate', opens_at: null },
        released_at: expect.stringMatching(/Z$/),
        closes_at: '2099-11-21T19:05:00Z',
        submissions: 1,
        graded: 0,
        claimed: 0,
        has_rubric: false,
      },
    ]);
  });

  test('the queue of homework returns submissions with all of their files in upload order', async () => {
    const { grader, item, submission } = await newScene();
    const { status, body } = await grader.post(`${item}/next`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: submission.id,
      flags: [],
      total_grade: null,
      claimed_by: { id: grader.id },
    });
    expect(body.data.files.map(({ name, pages }: { name: string; pages: number }) => [name, pages])).toEqual([
      ['a.pdf', 1],
      ['b.pdf', 1],
    ]);
    const list = await grader.get(`${item}/submissions?status=ungraded`);
    expect(list.body).toMatchObject({ data: [{ id: submission.id }], meta: { total: 1, graded: 0 } });
  });

  test('the queue of homework returns errors as defined for graders, unlike other paths of homework', async () => {
    const { grader, item, path, student } = await newScene();
    const asStudent = createHttpClient({ baseUrl: homework.service.url, token: student.token });
    const answers = [
      [await asStudent.get(path), 403, 'Unauthorized Access'],
      [await grader.get('/api/v3/grading/homeworks/submissions/999999'), 404, 'Not Found'],
      [await grader.get('/api/v3/grading/homeworks/999999/submissions'), 404, 'Not Found'],
      [await grader.get('/api/v3/grading/homeworks?per_page=0'), 422, 'Invalid Data'],
      [await grader.get(`${item}/submissions?cursor=x`), 422, 'Invalid Data'],
      [await grader.get(`${path}/history?page=x`), 422, 'Invalid Data'],
      [await grader.put(`${path}`, { grade: 7 }), 428, 'Precondition Required'],
    ] as const;
    for (const [{ status, body }, expected, message] of answers)
      expect([status, body.message]).toEqual([expected, message]);
  });

  test('a class whose assignment was removed is not in the queue of homework, but its submissions can still be graded', async () => {
    const { grader, item, path, classId } = await newScene();
    await homework.call(`/api/v3/admin/homeworks/${classId}`, homework.admin, { method: 'DELETE' });
    expect((await grader.get(`${item}/submissions`)).status).toBe(404);
    expect((await grader.post(`${item}/next`)).status).toBe(404);
    expect((await grade(grader, path, { grade: 7 })).status).toBe(200);
  });
});

describe('a rating', () => {
  test('a rating is the grade, out of 10, with a comment, a history entry and an event', async () => {
    const { grader, path, submission } = await newScene();
    const answer = await grade(grader, path, { grade: 7, comment: 'Clear' });
    expect(answer.body.data).toMatchObject({ grade: 7, total_grade: 10, comment: 'Clear', revision: 1 });
    const { body } = await grader.get(`${path}/history`);
    expect(body.data).toMatchObject([{ grade: 7, total_grade: 10, comment: 'Clear', reason: 'graded' }]);
    expect(await gradedEvents(submission.id)).toMatchObject([{ rating: 7, comment: 'Clear', revision: 1 }]);
  });

  test.each([0, 11, 7.5, '7', null])('a rating of %j is 422', async (value) => {
    const { grader, path } = await newScene();
    const { status, body } = await grade(grader, path, { grade: value });
    expect([status, body.message, Object.keys(body.errors)]).toEqual([422, 'Invalid Data', ['grade']]);
  });

  test('a rating computed from a rubric is rounded half up and is at least 1', async () => {
    const { grader, path, item } = await newScene();
    const { items, revision } = await makeRubric(grader, item, [0.4999, 6.5]);
    const [little, more] = items.map(({ id }) => id);
    const ratingOf = async (selection: (number | undefined)[], adjustment = 0) =>
      (await grade(grader, path, { selection, rubric_revision: revision, adjustment })).body.data.grade;
    expect(await ratingOf([])).toBe(1);
    expect(await ratingOf([little])).toBe(1);
    expect(await ratingOf([more])).toBe(7);
    expect(await ratingOf([more], -0.0001)).toBe(6);
    expect(await ratingOf([little, more], 100)).toBe(10);
  });

  test('a rating that a rubric change leaves unchanged gets the new rubric revision, but no new grading', async () => {
    const { grader, path, item, submission } = await newScene();
    const { items, revision } = await makeRubric(grader, item, [6.5]);
    await grade(grader, path, { selection: items.map(({ id }) => id), rubric_revision: revision });
    const change = async (points: number) => {
      const body = rubric([], { items: items.map((each) => ({ ...each, points })) });
      return grader.put(`${item}/rubric`, body, { 'if-match': '*' });
    };
    await change(7.4);
    expect((await grader.get(path)).body.data).toMatchObject({ grade: 7, revision: 1, rubric_revision: 2 });
    await change(7.5);
    expect((await grader.get(path)).body.data).toMatchObject({ grade: 8, revision: 2, rubric_revision: 3 });
    expect((await gradedEvents(submission.id)).map(({ rating }) => rating)).toEqual([7, 8]);
  });

  test('a rating through endpoint 4 clears the selection and keeps the annotations', async () => {
    const { grader, path, item, submission } = await newScene();
    const { items, revision } = await makeRubric(grader, item, [5]);
    const [file] = submission.files;
    const mark = { id: randomUUID(), file_id: file?.id, page: 1, kind: 'cross', rect: [1, 1, 2, 2] };
    const selection = items.map(({ id }) => id);
    const graded = await grade(grader, path, { selection, rubric_revision: revision, annotations: [mark] });
    await homework.grade(submission.id, { rating: 5 });
    const after = await grader.get(path);
    expect(after.body.data).toMatchObject({
      grade: 5,
      selection: [],
      rubric_revision: null,
      annotations: [mark],
    });
    expect(etagOf(after)).not.toBe(etagOf(graded));
  });

  test('a rubric of homework with a maximum other than 10 is refused', async () => {
    const { grader, item } = await newScene();
    const answer = await grader.put(`${item}/rubric`, rubric([1], { max_points: 20 }), {
      'if-none-match': '*',
    });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['max_points']]);
  });
});

describe('the files of homework', () => {
  const removeFile = (id: number, fileId: number | undefined) =>
    homework.call(`/api/v3/admin/homeworks/submissions/${id}/files/${fileId}`, homework.admin, {
      method: 'DELETE',
    });

  test('removing a file removes its annotations and changes the tag', async () => {
    const { grader, path, submission } = await newScene();
    const marks = submission.files.map((file) => ({
      ...{ id: randomUUID(), file_id: file.id, page: 1, kind: 'check', rect: [1, 1, 2, 2] },
    }));
    const graded = await grade(grader, path, { grade: 7, annotations: marks });
    expect((await removeFile(submission.id, submission.files[0]?.id)).status).toBe(204);
    const after = await grader.get(path);
    expect(after.body.data.annotations).toMatchObject(marks.slice(1));
    expect(etagOf(after)).not.toBe(etagOf(graded));
    const late = await grade(grader, path, { annotations: marks });
    expect([late.status, late.body.errors.annotations]).toEqual([
      422,
      [expect.stringContaining(`file ${submission.files[0]?.id}`)],
    ]);
  });

  test('a grading with marks on a file that is removed while the grading waits is 422 and stores no mark', async () => {
    const { grader, path, submission } = await newScene(['a.pdf']);
    const [file] = submission.files;
    const mark = { id: randomUUID(), file_id: file?.id, page: 1, kind: 'check', rect: [1, 1, 2, 2] };
    const answer = await changeWhileWaiting({
      database: homework.database,
      schema: 'homework',
      lock: `SELECT FROM submissions WHERE id = ${submission.id} FOR UPDATE`,
      send: () => grader.put(path, { grade: 7, annotations: [mark] }, { 'if-match': '*' }),
      change: `
        WITH touched AS (UPDATE submissions SET revision = revision WHERE id = ${submission.id})
        DELETE FROM submission_files WHERE submission_id = ${submission.id}`,
    });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['annotations']]);
    expect((await grader.get(path)).body.data).toMatchObject({ annotations: [], grade: null });
  });

  test('a new upload changes the tag, and a grading of the earlier state is 412', async () => {
    const { grader, path, classId, student } = await newScene();
    const seen = await grader.get(path);
    await homework.submitted(classId, student, ['c.pdf']);
    const answer = await grader.put(path, { grade: 7 }, { 'if-match': etagOf(seen) });
    expect([answer.status, answer.body.data.files.map(({ name }: { name: string }) => name)]).toEqual([
      412,
      ['c.pdf'],
    ]);
  });
});

describe("the student's view of homework", () => {
  const view = ({ submission }: { submission: { id: number } }, token: string) =>
    homework.get(`/api/v3/homeworks/submissions/${submission.id}`, token);
  const withoutUrls = (text: unknown) =>
    JSON.parse(JSON.stringify(text).replaceAll(/"https?:[^"]*"/g, '"url"'));

  test('until homework is graded, a student sees only its SubmissionObject and that it is not late', async () => {
    const scene = await newScene();
    const { status, body } = await view(scene, scene.student.token);
    const nothing = {
      comment: null,
      grade: null,
      total_grade: null,
      graded_at: null,
      rubric: null,
      answers: null,
      annotated_url: null,
      late: null,
      final_grade: null,
    };
    const own = withoutUrls(scene.submission);
    const files = own.files.map((file: object) => ({ ...file, pages: 1 }));
    expect([status, withoutUrls(body.data)]).toEqual([
      200,
      { ...own, ...nothing, files, pages: [], reviews: null },
    ]);
  });

  test('a student sees rating, comment and rubric of graded homework', async () => {
    const scene = await newScene();
    const { items, revision } = await makeRubric(scene.grader, scene.item, [5, 2]);
    const selection = [items[0]?.id];
    await grade(scene.grader, scene.path, { selection, rubric_revision: revision, comment: 'Half' });
    const { body } = await view(scene, scene.student.token);
    expect(body.data).toMatchObject({
      rating: 5,
      instructor_comment: 'Half',
      comment: 'Half',
      grade: 5,
      total_grade: 10,
      rubric: [{ text: '5 points', points: 5 }],
      annotated_url: expect.stringContaining('signature='),
    });
    expect(JSON.stringify(body)).not.toContain('Grace');
  });

  test('the homework of a student is 404 for another student and 403 for another role', async () => {
    const [scene, other]: [Awaited<ReturnType<typeof newScene>>, Scene] = [
      await newScene(),
      await homework.setUp(),
    ];
    const refused = await view(scene, other.student.token);
    expect([refused.status, refused.body.message]).toEqual([404, 'PDF Homework not found']);
    expect((await view(scene, homework.admin)).status).toBe(403);
  });
});

describe('undoing a rating', () => {
  test('undoing a rating makes the submission ungraded, and its student may upload again', async () => {
    const { grader, path, submission, classId, courseId, student, item } = await newScene();
    await grade(grader, path, { grade: 7, comment: 'Good' });
    const graded = await grader.get(path);
    expect((await grader.delete(`${path}/grade`, { 'if-match': '"other"' })).status).toBe(412);
    expect((await grader.delete(`${path}/grade`, { 'if-match': etagOf(graded) })).status).toBe(204);
    expect((await grader.get(path)).body.data).toMatchObject({
      status: 'ungraded',
      ...{ grade: null, total_grade: null, comment: null, graded_by: null, graded_at: null, revision: 2 },
    });
    expect((await grader.get(`${path}/history`)).body.data).toMatchObject([
      { grade: null, total_grade: null, reason: 'ungraded', graded_by: { id: grader.id } },
      { grade: 7, total_grade: 10, reason: 'graded' },
    ]);
    const [event] = await homework.rows<{ data: object }>(
      `SELECT body->'data' AS data FROM homework.outbox
       WHERE type = 'homework.submission.ungraded.v1' AND body->'data'->>'submission_id' = $1::text`,
      submission.id,
    );
    expect(event?.data).toEqual({
      ...{ submission_id: submission.id, class_id: classId, course_id: courseId },
      ...{ student_id: student.id, revision: 2 },
    });
    expect((await grader.post(`${item}/next`)).body.data.id).toBe(submission.id);
    await homework.submitted(classId, student, ['c.pdf']);
    expect((await grader.get(path)).body.data.files).toMatchObject([{ name: 'c.pdf' }]);
  });
});
