import { type Student, unique } from '@gradeway/test/fixtures';
import type { HttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { asAdmin, callAs, newScene, newStudent, quizSubmissions, submitQuiz } from './fixtures.ts';
import { confirmPassword } from './roleScene.ts';

const accounts = '/api/v3/admin/service-accounts';

async function newServiceAccount(scopes: string[], properties: object = {}) {
  const admin = await asAdmin();
  const { body } = await admin.post(accounts, { name: `System ${unique()}`, scopes, ...properties });
  const { token, ...account } = body.data;
  return { account, token: token as string, program: callAs(token) };
}

async function newPersonalToken(student: Student): Promise<string> {
  await confirmPassword(student);
  const { body } = await student.post('/api/v3/me/tokens', { name: 'Phone', scopes: ['courses:read'] });
  return body.data.token;
}

// Each process that checks tokens serves one of these paths: auth, courses, homework and quiz, and the gateway in
// front of them.
const pathOfEveryService = [
  '/api/v3/me/token',
  '/api/v3/admin/courses',
  '/api/v3/admin/homeworks',
  '/api/v3/quiz/pdf-quizzes',
];
const statuses = (program: HttpClient) =>
  Promise.all(pathOfEveryService.map(async (each) => (await program.get(each)).status));
const reading = ['courses:read', 'work:read'];

test('a service account works within its scopes', async () => {
  const { program } = await newServiceAccount(reading);
  expect(await statuses(program)).toEqual([200, 200, 200, 200]);
  expect(await program.post('/api/v3/admin/courses', { title: 'x' })).toMatchObject({
    status: 403,
    body: {
      message: 'Unauthorized Access',
      errors: { scope: ['This token lacks the scope courses:write.'] },
    },
  });
  expect(await program.post('/api/v3/admin/homeworks/grade/1', { rating: 5 })).toMatchObject({
    status: 401,
    body: { message: 'UnauthorizedRequest', errors: { scope: ['This token lacks the scope grades:write.'] } },
  });
  expect(await program.put('/api/v3/password', { password: 'another password' })).toMatchObject({
    status: 403,
    body: { errors: { scope: ['This operation needs a session.'] } },
  });
});

test.each<[string, (admin: HttpClient, id: number, tokenId: number) => Promise<unknown>]>([
  ['disabling the account', (admin, id) => admin.patch(`${accounts}/${id}`, { is_disabled: true })],
  ['other scopes', (admin, id) => admin.patch(`${accounts}/${id}`, { scopes: ['audit:read'] })],
  ['deleting the account', (admin, id) => admin.delete(`${accounts}/${id}`)],
  ['ending the token', (admin, id, tokenId) => admin.delete(`${accounts}/${id}/tokens/${tokenId}`)],
])('%s ends a token everywhere (D13)', async (_, end) => {
  const { account, program } = await newServiceAccount(reading);
  expect(await statuses(program)).toEqual([200, 200, 200, 200]);
  await end(await asAdmin(), account.id, account.tokens[0].id);
  await waitFor(async () => (await statuses(program)).every((status) => status === 401));
});

test('a personal token ends with the account (D13)', async () => {
  const student = await newStudent();
  const token = await newPersonalToken(student);
  const program = callAs(token);
  expect((await program.get('/api/v3/courses')).status).toBe(200);
  await (await asAdmin()).patch(`/api/v3/admin/users/${student.id}`, { is_blocked: true });
  await waitFor(async () => (await program.get('/api/v3/courses')).status === 401);
});

test('a grading by a service account names it, and so does the audit log', async () => {
  const scene = await newScene();
  await submitQuiz(scene);
  const [submission] = await quizSubmissions(scene.quizId);
  const { account, program } = await newServiceAccount(['grades:read', 'grades:write', 'audit:read']);
  const path = `/api/v3/grading/quizzes/submissions/${submission.id}`;
  const tag = (await program.get(path)).headers.get('etag') ?? '';
  const graded = await program.put(path, { grade: 7, total_grade: 10 }, { 'if-match': tag });
  const grader = { id: account.id, name: account.name, kind: 'service' };
  expect(graded).toMatchObject({ status: 200, body: { data: { graded_by: grader } } });
  const history = await program.get(`${path}/history`);
  expect(history.body.data[0].graded_by).toEqual(grader);
  const queue = await program.get(`/api/v3/grading/quizzes/${scene.quizId}/submissions`);
  expect(queue.body.data[0].graded_by).toEqual(grader);

  const audit = `/api/v3/admin/audit?actor_id=${account.id}&action=quiz.graded`;
  await waitFor(async () => (await program.get(audit)).body.data.length === 1);
  expect((await program.get(audit)).body.data[0]).toMatchObject({
    actor: { id: account.id, name: account.name, role: 'service' },
    session_id: null,
  });
});

test('the list of tokens shows when one was used', async () => {
  const student = await newStudent();
  const token = await newPersonalToken(student);
  const startedAt = Math.floor(Date.now() / 1000) * 1000;
  await callAs(token).get('/api/v3/courses');
  const lastUsedAt = async () => (await student.get('/api/v3/me/tokens')).body.data[0].last_used_at;
  await waitFor(async () => (await lastUsedAt()) !== null);
  expect(Date.parse(await lastUsedAt())).toBeGreaterThanOrEqual(startedAt);
});
