import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

async function newSubmission() {
  const scene = await homework.setUp();
  const { id } = await homework.submitted(scene.classId, scene.student);
  return { ...scene, id };
}

const comments = async (id: number, ...bodies: object[]) => {
  const seen: unknown[] = [];
  for (const body of bodies) {
    const answer = await homework.grade(id, body);
    expect(answer.status).toBe(200);
    seen.push(answer.body.data.instructor_comment);
  }
  return seen;
};

const gradedEvents = async (id: number) => {
  const events = await homework.rows<{ data: object }>(
    `SELECT body->'data' AS data FROM homework.outbox
     WHERE type = 'homework.submission.graded.v1' AND body->'data'->>'submission_id' = $1 ORDER BY position`,
    String(id),
  );
  return events.map(({ data }) => data);
};

test('a grading returns the updated SubmissionObject', async () => {
  const { id, student } = await newSubmission();
  const answer = await homework.grade(id, { rating: 8, comment: 'Well done' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    message: 'Grade Saved Successfully',
    data: {
      id,
      student_id: student.id,
      student_name: `Ada Student ${student.id}`,
      student_email: `${student.id}@school.example`,
      rating: 8,
      instructor_comment: 'Well done',
      is_reviewed: true,
      submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      files: [{ id: expect.any(Number), name: 'answer.pdf', url: expect.any(String) }],
      download_url: `${homework.service.url}/api/v3/assignments/download/${id}`,
    },
  });
});

describe('a grade is refused', () => {
  test.each([
    ['no rating', {}, { rating: ['The rating field is required.'] }],
    ['a rating of null', { rating: null }, { rating: ['The rating field is required.'] }],
    ['a rating that is text', { rating: '7' }, { rating: ['The rating must be an integer.'] }],
    ['a rating with a fraction', { rating: 7.5 }, { rating: ['The rating must be an integer.'] }],
    ['a rating of true', { rating: true }, { rating: ['The rating must be an integer.'] }],
    ['a rating of 0', { rating: 0 }, { rating: ['The rating must be between 1 and 10.'] }],
    ['a rating of 11', { rating: 11 }, { rating: ['The rating must be between 1 and 10.'] }],
    ['a negative rating', { rating: -3 }, { rating: ['The rating must be between 1 and 10.'] }],
    [
      'a comment of 1001 characters',
      { rating: 5, comment: 'x'.repeat(1001) },
      { comment: ['The comment may not be greater than 1000 characters.'] },
    ],
    ['a comment that is a number', { rating: 5, comment: 7 }, { comment: ['The comment must be a string.'] }],
    [
      'a comment that is a list',
      { rating: 5, comment: ['x'] },
      { comment: ['The comment must be a string.'] },
    ],
    [
      'several errors at once',
      { rating: 11, comment: 'x'.repeat(1001) },
      {
        rating: ['The rating must be between 1 and 10.'],
        comment: ['The comment may not be greater than 1000 characters.'],
      },
    ],
    ['a body that is a list', [], { rating: ['The rating field is required.'] }],
    [
      'a comment with a NUL character',
      { rating: 5, comment: 'a\0b' },
      { comment: ['The comment contains invalid characters.'] },
    ],
  ])('a grading with %s is refused with a ValidationError', async (_, body, errors) => {
    const answer = await homework.grade(1, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: 'ValidationError', errors });
  });

  test.each([
    ['malformed JSON', '{"rating": 5', 'application/json', 400, 'Malformed JSON'],
    ['another content type', 'rating=5', 'application/x-www-form-urlencoded', 415, 'Unsupported Media Type'],
  ])('a grading for %s is refused', async (_, body, type, status, message) => {
    const answer = await homework.call('/api/v3/admin/homeworks/grade/1', homework.admin, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ message, errors: null });
  });

  test.each(['999999', '2147483647'])('a grading of the unknown submission %s is refused', async (id) => {
    const answer = await homework.grade(Number(id), { rating: 5 });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ message: 'PDF Homework not found', errors: null });
  });

  test.each(['abc', '0', '-1', '1.5', '2147483648', '99999999999999999999', '%00'])(
    'a grading with the invalid id %s is refused',
    async (id) => {
      const answer = await homework.call(`/api/v3/admin/homeworks/grade/${id}`, homework.admin, {
        method: 'POST',
        body: '{"rating":5}',
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Not Found', errors: null });
    },
  );
});

test('the length of a comment is counted in code points (D19)', async () => {
  const { id } = await newSubmission();
  const comment = '🎓'.repeat(1000);
  expect(await comments(id, { rating: 5, comment })).toEqual([comment]);
  expect((await homework.grade(id, { rating: 5, comment: `${comment}🎓` })).status).toBe(422);
});

test('an absent comment keeps the earlier one, and null or an empty comment clears it (D18)', async () => {
  const { id } = await newSubmission();
  const seen = await comments(
    id,
    { rating: 5 },
    { rating: 5, comment: 'first' },
    { rating: 6 },
    { rating: 6, comment: null },
    { rating: 6, comment: 'second' },
    { rating: 7, comment: '' },
  );
  expect(seen).toEqual([null, 'first', 'first', null, 'second', null]);
});

test('the history of a submission lists every grading, newest first, including those that change nothing', async () => {
  const { id } = await newSubmission();
  await comments(id, { rating: 4, comment: 'a' }, { rating: 9 }, { rating: 9 });
  const answer = await homework.get(`/api/v3/admin/homeworks/submissions/${id}/history`, homework.admin);
  expect(answer.status).toBe(200);
  const graded_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const { data, meta, links } = answer.body;
  expect(data).toEqual([
    { rating: 9, comment: 'a', graded_by: 1, graded_at },
    { rating: 9, comment: 'a', graded_by: 1, graded_at },
    { rating: 4, comment: 'a', graded_by: 1, graded_at },
  ]);
  expect(meta).toMatchObject({ current_page: 1, per_page: 50, total: 3, last_page: 1, from: 1, to: 3 });
  expect(links).toMatchObject({ prev: null, next: null });
});

test('the history of a submission is paginated; an unknown id is 404, and an invalid page 422', async () => {
  const { id } = await newSubmission();
  await comments(id, { rating: 1 }, { rating: 2 }, { rating: 3 });
  const path = `/api/v3/admin/homeworks/submissions/${id}/history`;
  const second = await homework.get(`${path}?per_page=2&page=2`, homework.admin);
  expect(second.body).toMatchObject({ data: [{ rating: 1 }], meta: { from: 3, to: 3, total: 3 } });
  const bad = await homework.get(`${path}?per_page=0`, homework.admin);
  expect(bad.status).toBe(422);
  expect(bad.body).toMatchObject({
    message: 'Invalid Data',
    errors: { per_page: [expect.any(String)] },
  });
  const unknown = await homework.get('/api/v3/admin/homeworks/submissions/999999/history', homework.admin);
  expect(unknown.status).toBe(404);
  expect(unknown.body).toEqual({ message: 'PDF Homework not found', errors: null });
});

test('a grading publishes an event with the title of the class, unless it changes nothing', async () => {
  const { id, classId, courseId, student } = await newSubmission();
  await comments(id, { rating: 4, comment: 'a' }, { rating: 4, comment: 'a' }, { rating: 4 }, { rating: 5 });
  const common = {
    submission_id: id,
    class_id: classId,
    course_id: courseId,
    student_id: student.id,
    title: `Class ${classId}`,
    comment: 'a',
    graded_by: 1,
    graded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    visible_from: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    item_revision: expect.any(Number),
  };
  expect(await gradedEvents(id)).toEqual([
    { ...common, rating: 4, revision: 1 },
    { ...common, rating: 5, revision: 2 },
  ]);
});

test('simultaneous gradings are all saved, with different revisions', async () => {
  const { id } = await newSubmission();
  const answers = await Promise.all([1, 2, 3, 4].map((rating) => homework.grade(id, { rating })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const revisions = (await gradedEvents(id)).map((data) => (data as { revision: number }).revision);
  expect(revisions).toEqual([1, 2, 3, 4]);
});

test('each of 30 simultaneous gradings adds an entry to the history', async () => {
  const { id } = await newSubmission();
  const ratings = Array.from({ length: 30 }, (_, index) => 1 + (index % 10));
  const answers = await Promise.all(ratings.map((rating) => homework.grade(id, { rating })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { body } = await homework.get(`/api/v3/admin/homeworks/submissions/${id}/history`, homework.admin);
  expect(body.data.map(({ rating }: { rating: number }) => rating).toSorted()).toEqual(ratings.toSorted());
});

test('a submission can still be graded after its class has lost its assignment (D21)', async () => {
  const { id, classId } = await newSubmission();
  const path = `/api/v3/admin/homeworks/${classId}`;
  expect((await homework.call(path, homework.admin, { method: 'DELETE' })).status).toBe(204);
  expect((await homework.get(path, homework.admin)).status).toBe(404);
  expect((await homework.grade(id, { rating: 5 })).status).toBe(200);
});

test('a comment erased while a grading waits stays erased', async () => {
  const { id } = await newSubmission();
  await homework.grade(id, { rating: 4, comment: 'personal' });
  const answer = await changeWhileWaiting({
    database: homework.database,
    schema: 'homework',
    lock: `SELECT FROM submissions WHERE id = ${id} FOR UPDATE`,
    send: () => homework.grade(id, { rating: 5 }),
    change: `UPDATE submissions SET comment = NULL WHERE id = ${id}`,
  });
  expect(answer.status).toBe(200);
  expect(await homework.rows('SELECT rating, comment FROM homework.submissions WHERE id = $1', id)).toEqual([
    { rating: 5, comment: null },
  ]);
});

describe('authorization', () => {
  const paths: [string, string][] = [
    ['GET', '/api/v3/admin/homeworks'],
    ['GET', '/api/v3/admin/homeworks/1'],
    ['PUT', '/api/v3/admin/homeworks/1'],
    ['DELETE', '/api/v3/admin/homeworks/1'],
    ['POST', '/api/v3/admin/homeworks/grade/1'],
    ['GET', '/api/v3/admin/homeworks/submissions/1/history'],
    ['DELETE', '/api/v3/admin/homeworks/submissions/1/files/1'],
  ];
  test.each(paths)('%s %s returns 401 without a token or with any role but admin', async (method, path) => {
    const tokens = (['user', 'instructor', 'parent'] as const).map((role) => homework.tokens.sign(2, role));
    for (const token of [null, 'nonsense', ...tokens]) {
      const answer = await homework.call(path, token, { method });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ message: 'UnauthorizedRequest', errors: null });
    }
  });
});
