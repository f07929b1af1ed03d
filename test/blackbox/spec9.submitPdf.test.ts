import { now } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  callAs,
  enroll,
  newClass,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  quizSubmissions,
  submitQuiz,
} from './fixtures.ts';

const minutesAgo = (minutes: number) =>
  `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`;
// Behind a proxy, a connection may close after a large body is refused, which loses the next request on it (D45).
const lastRequest = { connection: 'close' };
const expired = { message: 'QuizDurationExpired', errors: null };

describe('accepted answer sheets', () => {
  test('an answer sheet received on time is accepted and pending', async () => {
    const scene = await newScene();
    const { status, body } = await submitQuiz(scene);
    expect([status, body]).toEqual([200, { status: true, message: 'Submitted successfully' }]);
    expect(await quizSubmissions(scene.quizId)).toEqual([
      expect.objectContaining({ is_marked: 0, grade: null }),
    ]);
  });

  test('an answer sheet is stored unchanged and can be opened by its URL', async () => {
    const scene = await newScene();
    const file = await pdf('Lösungen 解答.pdf');
    await submitQuiz(scene, { file });
    const [{ pdf_answer_url: url }] = await quizSubmissions(scene.quizId);
    const { status, headers, body } = await callAs().get(url);
    expect(status).toBe(200);
    expect(body.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('Lösungen 解答.pdf')}`,
    );
  });

  test('an answer sheet may name a class of its course, and no other', async () => {
    const scene = await newScene();
    expect((await submitQuiz(scene, { class_id: String(scene.classId) })).status).toBe(200);
    const other = await newClass(await newCourse());
    const { status, body } = await submitQuiz(scene, { class_id: String(other) });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['class_id']]);
  });

  test('a second upload while pending replaces the file (D27)', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const [before] = await quizSubmissions(scene.quizId);
    await submitQuiz(scene, { file: await pdf('better.pdf') });
    const after = await quizSubmissions(scene.quizId);
    expect(after).toHaveLength(1);
    expect(after[0].id).toBe(before.id);
    expect((await callAs().get(after[0].pdf_answer_url)).headers.get('content-disposition')).toContain(
      'better.pdf',
    );
  });

  test('an upload after grading is 409 (D27)', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const [{ id }] = await quizSubmissions(scene.quizId);
    await (await asAdmin()).post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade: 1, total_grade: 2 });
    const { status, body } = await submitQuiz(scene);
    expect([status, body]).toEqual([409, { message: 'Submission already graded', errors: null }]);
  });
});

describe('the submission window', () => {
  test.each([
    ['of 30 minutes has expired after 31', { start_at: minutesAgo(31), duration: '30' }, 403],
    ['of 30 minutes is open after 29', { start_at: minutesAgo(29), duration: '30' }, 200],
    ['of half a minute has expired after one', { start_at: minutesAgo(1), duration: '0.5' }, 403],
    [
      'of the longest duration is open shortly before its end',
      { start_at: minutesAgo(43_190), duration: '43200' },
      200,
    ],
  ])('a window %s: %j is %i', async (_, change, status) => {
    const answer = await submitQuiz(await newScene(), change);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toEqual(expired);
  });

  test('the window of the quiz applies whatever the client claims (D26)', async () => {
    const scene = await newScene();
    const upload = async (fields: Record<string, string>, change = {}) =>
      (await submitQuiz({ ...scene, quizId: await newQuiz(scene.courseId, fields) }, change)).body;
    expect(await upload({ closes_at: minutesAgo(1) })).toEqual(expired);
    expect(await upload({ opens_at: minutesAgo(-10) })).toEqual(expired);
    expect(await upload({ duration_minutes: '5' }, { start_at: minutesAgo(6) })).toEqual(expired);
    expect(
      await upload(
        { duration_minutes: '5', opens_at: minutesAgo(10), closes_at: minutesAgo(-10) },
        { start_at: minutesAgo(4) },
      ),
    ).toMatchObject({ status: true });
  });
});

describe('refused uploads', () => {
  test.each([
    ['no file', { file: undefined }, ['file']],
    ['no course', { course_id: undefined }, ['course_id']],
    ['no quiz', { quiz_id: undefined }, ['quiz_id']],
    ['no duration', { duration: undefined }, ['duration']],
    ['no start', { start_at: undefined }, ['start_at']],
    [
      'no field at all',
      { file: undefined, course_id: undefined, quiz_id: undefined, duration: undefined, start_at: undefined },
      ['course_id', 'duration', 'file', 'quiz_id', 'start_at'],
    ],
    ['a text instead of the file', { file: 'not a file' }, ['file']],
    [
      'words instead of numbers',
      { course_id: 'abc', quiz_id: '1.5', duration: 'long', class_id: '-1' },
      ['class_id', 'course_id', 'duration', 'quiz_id'],
    ],
    ['a duration of 0', { duration: '0' }, ['duration']],
    ['a duration of more than a month', { duration: '43200.1' }, ['duration']],
    ['a date without a time', { start_at: '2026-01-01' }, ['start_at']],
    ['a day that does not exist', { start_at: '2026-02-30T10:00:00' }, ['start_at']],
    ['a start in the future', { start_at: minutesAgo(-5) }, ['start_at']],
    ['a start_at of NUL', { start_at: '\u0000' }, ['start_at']],
  ])('an upload with %s is 422 with errors for those fields', async (_, change, fields) => {
    const { status, body } = await submitQuiz(await newScene(), change);
    expect([status, body.message, Object.keys(body.errors).toSorted()]).toEqual([
      422,
      'Invalid Data',
      fields,
    ]);
  });

  test.each([
    ['HTML', '<html>%PDF-1.7</html>', 'The file must be a valid PDF.'],
    ['no bytes', '', 'The file must be a valid PDF.'],
    ['only a header', '%PDF-1.7\n', 'The file must be a valid PDF.'],
  ])('a file of %s with the content type of a PDF is 422', async (_, content, message) => {
    const file = new File([content], 'answers.pdf', { type: 'application/pdf' });
    const { status, body } = await submitQuiz(await newScene(), { file });
    expect([status, body]).toEqual([422, { message: 'Invalid Data', errors: { file: [message] } }]);
  });

  test('a password-protected PDF is 422 (D28)', async () => {
    const { body } = await submitQuiz(await newScene(), {
      file: await pdf('secret.pdf', { password: 'hidden' }),
    });
    expect(body.errors).toEqual({ file: ['The file must not be password protected.'] });
  });

  test('a file of more than 25 MiB is 413 (D28)', async () => {
    const file = await pdf('huge.pdf', { bytes: 26 * 1024 * 1024 });
    const { status, body } = await submitQuiz(await newScene(), { file }, lastRequest);
    expect([status, body]).toEqual([413, { message: 'Payload Too Large', errors: null }]);
  });

  test('a body that is not a form is 422', async () => {
    const { student } = await newScene();
    expect((await student.post('/api/v3/quiz/submit-pdf', { course_id: 1 })).status).toBe(422);
  });

  test('an unknown course or quiz, and a quiz of another course, is 404 (D41)', async () => {
    const scene = await newScene();
    const elsewhere = await newQuiz(await newCourse());
    const messages = [];
    for (const change of [
      { course_id: '2147483647' },
      { course_id: '99999999999' },
      { quiz_id: '2147483647' },
      { quiz_id: '0099999999999' },
      { quiz_id: String(elsewhere) },
    ]) {
      const { status, body } = await submitQuiz(scene, change);
      expect(status).toBe(404);
      messages.push(body.message);
    }
    expect(messages).toEqual(['Course Not Found', 'Course Not Found', 'Not Found', 'Not Found', 'Not Found']);
  });

  test('a student who is not enrolled or has not paid gets 403', async () => {
    const scene = await newScene();
    const stranger = await newStudent();
    const debtor = await newStudent();
    await enroll(scene.courseId, debtor, false);
    for (const student of [stranger, debtor]) {
      const { status, body } = await submitQuiz({ ...scene, student });
      expect([status, body]).toEqual([403, { message: 'PayFirstToAccessTheCourse', errors: null }]);
    }
    await enroll(scene.courseId, debtor, true);
    expect((await submitQuiz({ ...scene, student: debtor })).status).toBe(200);
  });

  test('a student who has not paid gets 403 for a large file, which is not received (D45)', async () => {
    const scene = await newScene();
    const debtor = await newStudent();
    await enroll(scene.courseId, debtor, false);
    const file = await pdf('large.pdf', { bytes: 5 * 1024 * 1024 });
    const { status, body } = await submitQuiz({ ...scene, student: debtor }, { file }, lastRequest);
    expect([status, body]).toEqual([403, { message: 'PayFirstToAccessTheCourse', errors: null }]);
  });

  test.each(['instructor', 'admin'])(
    'the role %s gets 403 before the fields are checked (D25)',
    async (role) => {
      const caller = await newStudent({ role });
      const { status, body } = await caller.post('/api/v3/quiz/submit-pdf', form({}));
      expect([status, body]).toEqual([403, { message: 'Unauthorized Access', errors: null }]);
    },
  );

  test('an upload without a token is 401', async () => {
    const { status, body } = await callAs().post('/api/v3/quiz/submit-pdf', form({ start_at: now() }));
    expect([status, body]).toEqual([401, { message: 'UnauthorizedRequest', errors: null }]);
  });
});

describe('URLs of answer sheets', () => {
  const uploaded = async () => {
    const scene = await newScene();
    await submitQuiz(scene, { file: await pdf('range.pdf', { bytes: 5_000 }) });
    return new URL((await quizSubmissions(scene.quizId))[0].pdf_answer_url);
  };

  test('the URL of an answer sheet opens without a header and supports ranges (D31)', async () => {
    const url = await uploaded();
    const whole = (await callAs().get(url.href)).body as Buffer;
    const part = await callAs().get(url.href, { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`]);
    expect(part.body.equals(whole.subarray(100, 200))).toBe(true);
    const last = await callAs().get(url.href, { range: 'bytes=-50' });
    expect(last.body.equals(whole.subarray(-50))).toBe(true);
    expect((await callAs().get(url.href, { range: `bytes=${whole.length}-` })).status).toBe(416);
    for (const [name, value] of [
      ['x-content-type-options', 'nosniff'],
      ['accept-ranges', 'bytes'],
    ] as const)
      expect(part.headers.get(name)).toBe(value);
    expect(part.headers.get('content-security-policy')).toContain('sandbox');
  });

  test('the URL of an answer sheet that was altered or issued for another file is 403 (D31)', async () => {
    const [url, other] = [await uploaded(), await uploaded()];
    const altered = [
      url.href.replace(/expires=\d+/, 'expires=9999999999'),
      url.href.replace(/signature=.{4}/, 'signature=AAAA'),
      `${url.origin}${other.pathname}${url.search}`,
      `${url.origin}${url.pathname}`,
      url.href.replace('/files/quiz/', '/files/homework/'),
    ];
    for (const address of altered) {
      const { status, body } = await callAs().get(address);
      expect([status, body]).toEqual([403, { message: 'Unauthorized Access', errors: null }]);
    }
  });
});
