import type { Scene } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import { readArchive } from '@gradeway/test/readArchive';
import { describe, expect, test } from 'vitest';
import { routeTable } from '../../gateway/src/routing/routeTable.ts';
import {
  asAdmin,
  callAs,
  isRefusedByProxy,
  newClass,
  newCourse,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

// Every call checks its response against the OpenAPI document, which describes no 500.

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

const oddValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  1.5,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
  "'; DROP TABLE users; --",
  '{{7*7}}',
  '../../etc/passwd',
  '🎓'.repeat(300),
  [],
  ['a', 1, null],
  {},
  { $ne: null },
  { __proto__: { admin: true }, constructor: 'x' },
  deep(500),
];

const names = [
  'first_name',
  'last_name',
  'email',
  'mobile',
  'password',
  'role',
  'is_blocked',
  'is_approved',
  'title',
  'description',
  'paid',
  'rating',
  'comment',
  'grade',
  'total_grade',
  'course_id',
  'opens_at',
  'duration_minutes',
  'is_disabled',
  'receipt',
  'code',
  'current_password',
  'device_token',
  'questions_count_of_quiz_pdf',
];

// Excludes requests that would end the session of the administrator who sends them.
const routes = routeTable.filter(({ path }) => !/logout|password|refresh|\/files\/|jwks|devices/.test(path));

describe('odd input', () => {
  test.each(
    routes
      .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
      .map(({ method, path }) => [method, path]),
  )('%s %s responds to odd values in every field with a client error', async (method, path) => {
    // Wrong passwords would prevent the administrator from re-authenticating for 15 minutes.
    const caller = path.endsWith('/reauthenticate') ? await newStudent() : await asAdmin();
    const address = path.replaceAll(/:\w+/g, '2147483646');
    for (const value of oddValues) {
      const body = Object.fromEntries(names.map((name) => [name, value]));
      const { status } = await caller.request(method, address, { body });
      expect(status).toBeLessThan(500);
    }
  });

  test.each(routes.filter(({ path }) => path.includes(':')).map(({ method, path }) => [method, path]))(
    '%s %s responds to odd ids with a client error',
    async (method, path) => {
      const admin = await asAdmin();
      for (const id of [
        '0',
        '-1',
        '1.0',
        '1e3',
        'NaN',
        '%00',
        '%2e%2e',
        '%ff',
        '%E0%A4%A',
        '99999999999999999999',
        '١',
        'a'.repeat(2_000),
      ]) {
        const answer = await admin.request(method, path.replaceAll(/:\w+/g, id));
        // 405: a client removes the segment `%2e%2e`, and the remaining path may have other methods.
        if (!isRefusedByProxy(answer)) expect([403, 404, 405, 422]).toContain(answer.status);
      }
    },
  );

  test.each(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))(
    'GET %s responds to odd queries as documented',
    async (path) => {
      const admin = await asAdmin();
      const address = path.replaceAll(/:\w+/g, '1');
      for (const query of [
        'page[]=1',
        'page=1&page=2',
        'per_page=999999999999',
        'search=%00',
        'search=%ff',
        `search=${'x'.repeat(3_000)}`,
        'course_id=%27',
        'role=root',
        'format=xml',
        '%',
        '&&&',
        '__proto__[a]=1',
      ])
        await admin.get(`${address}?${query}`);
    },
  );

  test('a missing body, or one that is not an object, is 422', async () => {
    const admin = await asAdmin();
    for (const body of ['[]', '7', '"x"', 'null', 'true', `[${'['.repeat(2000)}${']'.repeat(2000)}]`])
      expect((await admin.post('/api/v3/admin/courses', body)).status).toBe(422);
    expect((await admin.post('/api/v3/admin/courses')).status).toBe(422);
  });

  test.each(
    routes
      .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
      .map(
        ({ method, path, bodyBytes }) => [method, path, bodyBytes === undefined ? 50_000 : 200_000] as const,
      ),
  )('%s %s responds to a body of %d levels with a client error', async (method, path, levels) => {
    const caller = path.endsWith('/reauthenticate') ? await newStudent() : await asAdmin();
    const address = path.replaceAll(/:\w+/g, '2147483646');
    const nested = '['.repeat(levels) + ']'.repeat(levels);
    const body = `{${names.map((name, index) => `"${name}":${index === 0 ? nested : '[[]]'}`).join(',')}}`;
    const headers = { 'content-type': 'application/json' };
    for (const each of [nested, body]) {
      const { status } = await caller.request(method, address, { body: each, headers });
      expect(status).toBeLessThan(500);
    }
  });
});

describe('file names', () => {
  const sentAndStored: [string, string][] = [
    ['../../../etc/passwd.pdf', 'passwd.pdf'],
    ['C:\\temp\\answers.pdf', 'answers.pdf'],
    ['"quoted"; filename="other.pdf', '"quoted"; filename="other.pdf'],
    ['解答 ü é 🎓.pdf', '解答 ü é 🎓.pdf'],
    ['<script>alert(1)</script>.pdf', 'script>.pdf'],
    ['homework.html', 'homework.html.pdf'],
    ['homework.pdf fdp.exe', 'homework.pdf fdp.exe.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['desktop.ini', 'desktop.ini.pdf'],
    ['CON.pdf', '_CON.pdf'],
    ['answers\u2028sheet\u202e\u2029.pdf', 'answerssheet.pdf'],
    [`${'a'.repeat(210)}.pdf`, `${'a'.repeat(100)}…${'a'.repeat(95)}.pdf`],
  ];

  // FormData escapes names, so the body is assembled by hand.
  const upload = ({ student, classId }: Scene, fileName: string, content: Buffer) => {
    const quoted = fileName.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    const disposition = `Content-Disposition: form-data; name="files"; filename="${quoted}"`;
    const body = Buffer.concat([
      Buffer.from(`--b\r\n${disposition}\r\n\r\n`),
      content,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return student.post(`/api/v3/homeworks/${classId}/submissions`, body, headers);
  };

  test.each(sentAndStored)('%j is stored as %j and harmless in every response', async (given, name) => {
    const scene = await newScene();
    const content = Buffer.from(await (await pdf()).arrayBuffer());
    expect((await upload(scene, given, content)).status).toBe(201);
    const { body } = await (await asAdmin()).get(`/api/v3/admin/homeworks/${scene.classId}`);
    const [file] = body.submissions[0].files;
    expect(file.name).toBe(name);
    const { status, headers } = await callAs().get(file.url);
    expect([status, headers.get('set-cookie')]).toEqual([200, null]);
    expect(decodeURIComponent(headers.get('content-disposition') ?? '').replaceAll('\\', '')).toContain(name);
    const archives = [
      `/api/v3/assignments/download/${body.submissions[0].id}`,
      `/api/v3/admin/courses/${scene.courseId}/submissions.zip`,
      `/api/v3/admin/users/${scene.student.id}/personal-data`,
    ];
    for (const path of archives) {
      const archive = await (await asAdmin()).get(path);
      const names = (await readArchive(archive.body)).map((entry) => entry.name);
      // Paths in archives are shorter, so names are truncated.
      const ending = name.replace(/[<>:"|?*]/g, '_').slice(-20);
      expect(names.filter((each) => each.endsWith(ending))).toHaveLength(1);
    }
  });
});

describe('access to the data of others', () => {
  test('a student cannot read submissions, files, grades or archives of another student', async () => {
    const [mine, theirs] = [await newScene(), await newScene()];
    const { id } = (await submitHomework(theirs)).body.data;
    await submitQuiz(theirs);
    expect((await mine.student.get(`/api/v3/assignments/download/${id}`)).status).toBe(401);
    expect((await mine.student.get('/api/v3/quiz/submissions')).body.data).toEqual([]);
    expect((await mine.student.get('/api/v3/grades')).body.data).toEqual([]);
    expect(
      (await mine.student.get('/api/v3/homeworks')).body.data.map(
        ({ id: classId }: { id: number }) => classId,
      ),
    ).toEqual([mine.classId]);
    expect((await theirs.student.get(`/api/v3/assignments/download/${id}`)).status).toBe(200);
  });

  test('a student cannot call endpoints for administrators', async () => {
    const { student, quizId, courseId, classId } = await newScene();
    await submitQuiz({ student, quizId, courseId });
    const [{ id }] = await quizSubmissions(quizId);
    const attempts = [
      student.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade: 10, total_grade: 10 }),
      student.patch(`/api/v3/admin/users/${student.id}`, { role: 'admin' }),
      student.put(`/api/v3/admin/courses/${courseId}/students/${student.id}`, { paid: true }),
      student.delete(`/api/v3/quiz/pdf-quizzes/${quizId}`),
      student.put(`/api/v3/admin/homeworks/${classId}`, form({})),
      student.get(`/api/v3/admin/courses/${courseId}/gradebook?format=csv`),
    ];
    for (const { status } of await Promise.all(attempts)) expect([401, 403]).toContain(status);
    expect((await quizSubmissions(quizId))[0].is_marked).toBe(0);
  });
});

test('titles in any script and with markup are returned unchanged', async () => {
  const title = '<b>Алгебра</b> & "代数" 🎓';
  const courseId = await newCourse(title);
  const classId = await newClass(courseId, title);
  const { body } = await (await asAdmin()).get(`/api/v3/admin/courses/${courseId}/classes`);
  expect(body.data).toEqual([expect.objectContaining({ id: classId, title })]);
  expect((await callAs().get(`/api/v3/admin/courses/${courseId}`)).status).toBe(401);
});
