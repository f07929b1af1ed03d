import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { signReceiptTime } from '@gradeway/shared/http/receiptTime';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { type Answer, form } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesForm, type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService({ MAX_UPLOAD_BYTES: '100000' });
});
afterAll(() => homework.close());

const post = (path: string, token: string | null, body: FormData = filesForm([])) =>
  homework.call(path, token, { method: 'POST', body });
const refusal = ({ status, body }: Answer) => ({ status, body });
const notFound = { status: 404, body: { message: 'PDF Homework not found', errors: null } };
const payFirst = { status: 403, body: { message: 'PayFirstToAccessTheCourse', errors: null } };

test('an upload returns 201 with the SubmissionObject', async () => {
  const { classId, student } = await homework.setUp();
  const files = { 'one.pdf': homework.pdf, 'two.pdf': homework.pdf };
  const answer = await homework.submit(classId, student, files);
  expect(answer.status).toBe(201);
  const id = expect.any(Number);
  const url = expect.stringContaining('/api/v3/files/homework/');
  const { data } = answer.body;
  expect(data).toEqual({
    id,
    student_id: student.id,
    student_name: `Ada Student ${student.id}`,
    student_email: `${student.id}@school.example`,
    rating: null,
    instructor_comment: null,
    is_reviewed: false,
    submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    files: [
      { id, name: 'one.pdf', url },
      { id, name: 'two.pdf', url },
    ],
    download_url: `${homework.service.url}/api/v3/assignments/download/${data.id}`,
  });
});

describe('an upload is refused', () => {
  test('an upload without a token is refused with 401', async () => {
    expect(refusal(await post('/api/v3/homeworks/1/submissions', null))).toEqual({
      status: 401,
      body: { message: 'UnauthorizedRequest', errors: null },
    });
  });

  test.each(['admin', 'instructor', 'parent'] as const)(
    'an upload is refused with 403 for the role %s',
    async (role) => {
      expect(refusal(await post('/api/v3/homeworks/1/submissions', homework.tokens.sign(7, role)))).toEqual({
        status: 403,
        body: { message: 'Unauthorized Access', errors: null },
      });
    },
  );

  test('an upload is refused with 403 for a student who is not enrolled or has not paid', async () => {
    const { classId, courseId } = await homework.setUp();
    const { classId: _, ...stranger } = { ...homework.setUpClass() };
    expect(refusal(await homework.submit(classId, stranger.student))).toEqual(payFirst);
    const debtor = homework.enroll(courseId);
    homework.peers.enrollments.set(`${debtor.id}/${courseId}`, { paid: false });
    expect(refusal(await homework.submit(classId, debtor))).toEqual(payFirst);
    homework.peers.enrollments.set(`${debtor.id}/${courseId}`, { paid: true });
    expect((await homework.submit(classId, debtor)).status).toBe(201);
  });
});

describe('an upload is Invalid Data', () => {
  const cases: [string, () => FormData | Promise<FormData>, Record<string, string[]>][] = [
    ['without files', () => filesForm([]), { files: ['The files field is required.'] }],
    [
      'with text instead of files',
      () => form({ files: 'a.pdf' }),
      { files: ['The files field is required.'] },
    ],
    [
      'with one file that is not a PDF',
      () =>
        filesForm([
          ['a.pdf', homework.pdf],
          ['b.pdf', new Blob(['%PDF-1.7 not really'], { type: 'application/pdf' })],
        ]),
      { files: ['The file must be a valid PDF.'] },
    ],
    [
      'with an empty file',
      () => filesForm([['a.pdf', new Blob([])]]),
      { files: ['The file must be a valid PDF.'] },
    ],
    [
      'with a password-protected PDF',
      async () => filesForm([['a.pdf', new Blob([await makePdf('Secret', { password: 'x' })])]]),
      { files: ['The file must not be password protected.'] },
    ],
    [
      'with eleven files',
      () => filesForm(Array.from({ length: 11 }, (_, index) => [`${index}.pdf`, homework.pdf])),
      { files: ['The files may not have more than 10 items.'] },
    ],
    [
      'with a file in another field',
      () => form({ file: homework.pdf }),
      { file: ['The file field may not hold a file.'] },
    ],
  ];
  test.each(cases)('an upload is Invalid Data: %s', async (_, body, errors) => {
    const { classId, student } = await homework.setUp();
    const answer = await homework.submit(classId, student, await body());
    expect(refusal(answer)).toEqual({ status: 422, body: { message: 'Invalid Data', errors } });
  });

  test('an upload without a form returns Invalid Data', async () => {
    const { classId, student } = await homework.setUp();
    const answer = await homework.call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refusal(answer)).toMatchObject({ status: 422, body: { message: 'Invalid Data' } });
  });

  test('an upload with a truncated form returns Invalid Data', async () => {
    const { classId, student } = await homework.setUp();
    const answer = await homework.call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF-',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(refusal(answer)).toEqual({
      status: 422,
      body: { message: 'Invalid Data', errors: { files: ['The files failed to upload.'] } },
    });
  });
});

test('ten files of almost the maximum size are accepted', async () => {
  const { classId, student } = await homework.setUp();
  const file = new Blob([await makePdf('Scan', { bytes: 90_000 })]);
  const files = Array.from({ length: 10 }, (_, index): [string, Blob] => [`${index}.pdf`, file]);
  expect((await homework.submit(classId, student, filesForm(files))).status).toBe(201);
});

test('a single file above the limit returns 413', async () => {
  const { classId, student } = await homework.setUp();
  const answer = await homework.submit(classId, student, { 'a.pdf': new Blob([Buffer.alloc(100_001)]) });
  expect(refusal(answer)).toEqual({
    status: 413,
    body: { message: 'Payload Too Large', errors: null },
  });
});

test('an upload returns 404 for a class that is unknown, deleted or without an assignment', async () => {
  const { classId: bare, student } = homework.setUpClass();
  expect(refusal(await homework.submit(999_999, student))).toEqual(notFound);
  expect(refusal(await homework.submit(bare, student))).toEqual(notFound);
  const { classId, student: other } = await homework.setUp();
  homework.peers.classes.splice(
    homework.peers.classes.findIndex((each) => each.classId === classId),
    1,
  );
  expect(refusal(await homework.submit(classId, other))).toEqual(notFound);
});

test.each(['abc', '0', '2147483648'])('the id %s returns the standard 404', async (id) => {
  const { student } = homework.setUpClass();
  expect(refusal(await post(`/api/v3/homeworks/${id}/submissions`, student.token))).toEqual({
    status: 404,
    body: { message: 'Not Found', errors: null },
  });
});

describe('the deadline', () => {
  const expired = { status: 403, body: { message: 'HomeworkDeadlineExpired', errors: null } };
  const inSeconds = (seconds: number) =>
    `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

  test('an upload after the deadline is refused', async () => {
    const { classId, student } = await homework.setUp({ assignment_deadline: inSeconds(-2) });
    expect(refusal(await homework.submit(classId, student))).toEqual(expired);
  });

  test('the deadline applies to the time at which the gateway received the headers, if the gateway has signed it', async () => {
    const deadline = inSeconds(-5);
    const { classId, student } = await homework.setUp({ assignment_deadline: deadline });
    const submitAs = (key: string) => {
      const requestId = randomUUID();
      const receivedAt = signReceiptTime(Date.parse(deadline) - 1_000, requestId, key);
      return homework.call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
        method: 'POST',
        body: filesForm([['a.pdf', homework.pdf]]),
        headers: { 'x-request-id': requestId, 'x-received-at': receivedAt },
      });
    };
    expect(refusal(await submitAs('the key of another process'))).toEqual(expired);
    expect((await submitAs(serviceSecret)).status).toBe(201);
  });

  test('the deadline applies to the start of the request, so a slow upload that started in time is accepted', async () => {
    const { classId, student } = await homework.setUp();
    const uploads = join(homework.service.directory, 'uploads');
    const whole = Buffer.from(await new Response(filesForm([['a.pdf', homework.pdf]])).arrayBuffer());
    const boundary = whole.subarray(2, whole.indexOf('\r\n')).toString();
    const body = ReadableStream.from(
      (async function* () {
        yield whole.subarray(0, 200);
        await waitFor(async () => (await readdir(uploads)).length > 0);
        const deadline = inSeconds(1);
        await homework.put(classId, { assignment_deadline: deadline });
        await waitFor(() => Date.now() > Date.parse(deadline));
        yield whole.subarray(200);
      })(),
    );
    const answer = await homework.call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
      method: 'POST',
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(answer.status).toBe(201);
    expect(refusal(await homework.submit(classId, student))).toEqual(expired);
  });
});

test('an upload is checked in this order: files, class, payment, deadline, review', async () => {
  const { classId, courseId, student } = await homework.setUp();
  const { id } = await homework.submitted(classId, student);
  await homework.grade(id, { rating: 5 });
  await homework.put(classId, { assignment_deadline: '2026-01-01T00:00:00' });
  homework.peers.enrollments.set(`${student.id}/${courseId}`, { paid: false });
  const bad = { 'a.pdf': new Blob(['x']) };

  expect((await homework.submit(999_999, student, bad)).status).toBe(422);
  expect((await homework.submit(999_999, student)).status).toBe(404);
  expect(refusal(await homework.submit(classId, student))).toEqual(payFirst);
  homework.peers.enrollments.set(`${student.id}/${courseId}`, { paid: true });
  expect(refusal(await homework.submit(classId, student)).body).toMatchObject({
    message: 'HomeworkDeadlineExpired',
  });
  await homework.put(classId, { assignment_deadline: '' });
  expect(refusal(await homework.submit(classId, student))).toEqual({
    status: 409,
    body: { message: 'Submission already graded', errors: null },
  });
});
