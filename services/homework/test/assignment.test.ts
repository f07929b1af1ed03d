import { makePdf } from '@gradeway/local/demoPdf';
import type { Answer } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkObject, type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService({ MAX_UPLOAD_BYTES: '100000', APP_TIMEZONE: 'Asia/Tokyo' });
});
afterAll(() => homework.close());

const homeworkOf = ({ body }: Answer): HomeworkObject => body.data;
const remove = (classId: number | string) =>
  homework.call(`/api/v3/admin/homeworks/${classId}`, homework.admin, { method: 'DELETE' });
const putBody = (classId: number, body: string, type: string) =>
  homework.call(`/api/v3/admin/homeworks/${classId}`, homework.admin, {
    method: 'PUT',
    body,
    headers: { 'content-type': type },
  });
const totalOf = async (courseId: number) => {
  const answer = await homework.get(`/api/v3/admin/homeworks?course_id=${courseId}`, homework.admin);
  return answer.body.total as number;
};

test('the first PUT of an assignment creates it and returns 201, and a later one changes it and returns 200 (D35)', async () => {
  const { classId, courseId } = homework.setUpClass();
  const created = await homework.put(classId, {
    file: homework.pdf,
    assignment_deadline: '2026-12-24T23:30:00',
    assignment_description: 'Do it.',
  });
  expect(created.status).toBe(201);
  const object = homeworkOf(created);
  expect(object).toMatchObject({
    id: classId,
    course_id: courseId,
    assignment_deadline: '24/12/2026 11:30 PM',
    assignment_description: 'Do it.',
    assignment_file_url: expect.stringContaining('/api/v3/files/homework/'),
    submissions: [],
  });
  const changed = await homework.put(classId, { assignment_description: 'Do it well.' });
  expect(changed.status).toBe(200);
  // The URL of the same file has a new expiry.
  const expected = {
    ...object,
    assignment_description: 'Do it well.',
    assignment_file_url: expect.stringContaining(String(object.assignment_file_url).split('?')[0] as string),
  };
  expect(homeworkOf(changed)).toEqual(expected);
  expect(await homework.homework(classId)).toEqual(expected);
});

test('a form without fields creates an empty assignment', async () => {
  const { classId } = homework.setUpClass();
  expect((await homework.put(classId)).status).toBe(201);
  const empty = { assignment_deadline: null, assignment_description: null, assignment_file_url: null };
  expect(await homework.homework(classId)).toMatchObject(empty);
  expect(
    (await homework.call(`/api/v3/admin/homeworks/${classId}`, homework.admin, { method: 'PUT' })).status,
  ).toBe(200);
});

test.each(['--x--\r\n', '--x--', '\r\n--x--\r\n'])(
  'other encodings of an empty form are accepted: %j',
  async (body) => {
    const { classId } = homework.setUpClass();
    expect((await putBody(classId, body, 'multipart/form-data; boundary=x')).status).toBe(201);
  },
);

test('an absent field of an assignment leaves its property unchanged, and an empty one clears it', async () => {
  const { classId } = await homework.setUp({
    assignment_deadline: '2026-12-24T23:30:00',
    assignment_description: 'Do it.',
  });
  await homework.put(classId, { file: homework.pdf });
  expect(homeworkOf(await homework.put(classId, { assignment_deadline: '' }))).toMatchObject({
    assignment_deadline: null,
    assignment_description: 'Do it.',
    assignment_file_url: expect.any(String),
  });
  expect(homeworkOf(await homework.put(classId, { assignment_description: '' }))).toMatchObject({
    assignment_description: null,
    assignment_file_url: expect.any(String),
  });
  expect(homeworkOf(await homework.put(classId, { file: '' }))).toMatchObject({
    assignment_file_url: null,
  });
});

test('a new PDF replaces the old one, whose bytes are deleted', async () => {
  const { classId } = await homework.setUp();
  await homework.put(classId, { file: homework.pdf });
  const before = await homework.storedFiles();
  const { assignment_file_url: old } = await homework.homework(classId);
  const second = await makePdf('Second');
  const { assignment_file_url: url } = homeworkOf(await homework.put(classId, { file: new Blob([second]) }));
  expect((await homework.call(url ?? '', null)).body).toEqual(second);
  await waitFor(async () => (await homework.storedFiles()) === before);
  expect((await homework.call(old ?? '', null)).status).toBe(403);
});

test('the fields of an assignment are also accepted as JSON, where null clears a property', async () => {
  const { classId } = await homework.setUp({ assignment_description: 'Do it.' });
  const json = JSON.stringify({
    assignment_description: null,
    assignment_deadline: '2026-01-02T03:04:05+09:00',
  });
  const answer = await putBody(classId, json, 'application/json');
  expect(answer.status).toBe(200);
  expect(homeworkOf(answer)).toMatchObject({
    assignment_description: null,
    assignment_deadline: '02/01/2026 03:04 AM',
  });
});

describe('an assignment is refused', () => {
  test.each([
    [
      'an invalid deadline',
      { assignment_deadline: 'tomorrow' },
      {
        assignment_deadline: ['The assignment deadline does not match the format YYYY-MM-DDTHH:mm:ss.'],
      },
    ],
    [
      'a nonexistent date',
      { assignment_deadline: '2026-02-30T10:00:00' },
      {
        assignment_deadline: ['The assignment deadline does not match the format YYYY-MM-DDTHH:mm:ss.'],
      },
    ],
    [
      'a description over the limit',
      { assignment_description: 'x'.repeat(10_001) },
      { assignment_description: ['The assignment description may not be greater than 10000 characters.'] },
    ],
    [
      'a file that is not a PDF',
      { file: new Blob(['%PDF-1.7 not really']) },
      { file: ['The file must be a valid PDF.'] },
    ],
    ['a text field instead of a file', { file: 'homework.pdf' }, { file: ['The file must be a valid PDF.'] }],
    [
      'a file in another field',
      { files: new Blob(['x']) },
      { files: ['The files field may not hold a file.'] },
    ],
    [
      'several errors at once',
      { file: new Blob(['x']), assignment_deadline: 'x' },
      {
        file: ['The file must be a valid PDF.'],
        assignment_deadline: ['The assignment deadline does not match the format YYYY-MM-DDTHH:mm:ss.'],
      },
    ],
  ])(
    'an assignment with %s is refused with Invalid Data and leaves nothing behind',
    async (_, fields, errors) => {
      const { classId } = homework.setUpClass();
      const before = await homework.storedFiles();
      const answer = await homework.put(classId, fields as Record<string, string | Blob>);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ message: 'Invalid Data', errors });
      expect((await homework.get(`/api/v3/admin/homeworks/${classId}`, homework.admin)).status).toBe(404);
      await waitFor(async () => (await homework.storedFiles()) === before);
    },
  );

  test('an assignment with a password-protected PDF is refused', async () => {
    const { classId } = homework.setUpClass();
    const file = new Blob([await makePdf('Secret', { password: 'x' })]);
    const answer = await homework.put(classId, { file });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      errors: { file: ['The file must not be password protected.'] },
    });
  });

  test('an assignment with a file above the limit is refused', async () => {
    const { classId } = homework.setUpClass();
    const answer = await homework.put(classId, { file: new Blob([Buffer.alloc(100_001)]) });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ message: 'Payload Too Large', errors: null });
  });

  test('an assignment for a class that does not exist is refused', async () => {
    const before = await homework.storedFiles();
    const answer = await homework.put(999_999, { file: homework.pdf });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ message: 'PDF Homework not found', errors: null });
    await waitFor(async () => (await homework.storedFiles()) === before);
  });

  test('an assignment with an unsupported content type is refused', async () => {
    const { classId } = homework.setUpClass();
    expect((await putBody(classId, 'x=1', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await putBody(classId, '{', 'application/json')).status).toBe(400);
  });
});

test.each([
  ['0000-01-01T00:00:00', 422],
  ['0001-01-01T00:00:00', 422],
  ['9999-12-31T23:59:59', 201],
  ['9999-12-31T23:59:59-14:00', 201],
])('an extreme deadline (%s) causes no server error', async (assignment_deadline, status) => {
  const { classId } = homework.setUpClass();
  expect((await homework.put(classId, { assignment_deadline })).status).toBe(status);
});

test('DELETE removes an assignment but not its submissions, and PUT restores both', async () => {
  const { classId, courseId, student } = await homework.setUp({ assignment_description: 'Do it.' });
  const { id } = await homework.submitted(classId, student);
  expect(await totalOf(courseId)).toBe(1);

  const removed = await remove(classId);
  expect(removed.status).toBe(204);
  expect(removed.body).toBeNull();
  expect((await homework.get(`/api/v3/admin/homeworks/${classId}`, homework.admin)).status).toBe(404);
  expect(await totalOf(courseId)).toBe(0);
  expect((await homework.submit(classId, student)).status).toBe(404);

  const again = await homework.put(classId);
  expect(again.status).toBe(201);
  expect(homeworkOf(again)).toMatchObject({
    assignment_description: 'Do it.',
    submissions: [{ id, files: [{ name: 'answer.pdf' }] }],
  });
  expect(await totalOf(courseId)).toBe(1);
});

test('DELETE returns 404 for a class without an assignment', async () => {
  const { classId } = await homework.setUp();
  await remove(classId);
  for (const id of [classId, 999_999]) {
    const answer = await remove(id);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ message: 'PDF Homework not found', errors: null });
  }
  expect((await remove('x')).body).toEqual({ message: 'Not Found', errors: null });
});

test('one of several simultaneous first PUTs creates an assignment, and its class is counted once', async () => {
  const { classId, courseId } = homework.setUpClass();
  const answers = await Promise.all([1, 2, 3, 4].map(() => homework.put(classId, { file: homework.pdf })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  expect(await totalOf(courseId)).toBe(1);
});
