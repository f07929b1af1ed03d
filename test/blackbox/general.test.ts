import { baseUrl, callAs, send } from '@gradeway/test/api';
import { asAdmin, newStudent } from '@gradeway/test/school';
import { describe, expect, test } from 'vitest';

const unauthorized = { message: 'UnauthorizedRequest', errors: null };

describe('an error (D2)', () => {
  test('of an unknown path is 401 without a token and 404 with one', async () => {
    for (const path of ['/api/v3', '/api/v3/nothing', '/api/v3/admin/nothing']) {
      expect((await callAs().get(path)).body).toEqual(unauthorized);
      const { status, body } = await (await asAdmin()).get(path);
      expect([status, body]).toEqual([404, { message: 'Not Found', errors: null }]);
    }
  });

  test('of a wrong method is 405 and says which ones there are', async () => {
    const { status, headers } = await callAs().get('/api/v3/login');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    const admin = await asAdmin();
    const answer = await admin.put('/api/v3/admin/homeworks', {});
    expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([
      405,
      'GET, HEAD',
      { message: 'Method Not Allowed', errors: null },
    ]);
    for (const path of ['/docs', '/livez', '/readyz', '/api/v3/openapi.json']) {
      const refused = await send('POST', path);
      expect([refused.status, refused.headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
    }
  });

  test.each(['text/html', '*/*', 'application/xml', ''])(
    'is JSON for Accept: %j, never a redirect (D3)',
    async (accept) => {
      const response = await fetch(`${baseUrl()}/api/v3/admin/homeworks`, {
        headers: { accept },
        redirect: 'manual',
      });
      expect([response.status, await response.json()]).toEqual([401, unauthorized]);
    },
  );

  test('of a body that is no JSON is 400, of another type 415, of too much 413', async () => {
    const admin = await asAdmin();
    const post = (body: string, type: string) =>
      send('POST', '/api/v3/admin/courses', {
        body,
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
      });
    const answers = [
      await post('{"title":', 'application/json'),
      await post('title=x', 'application/x-www-form-urlencoded'),
      await post('{"title":"x"}', 'application/json; charset=iso-8859-1'),
      await post(`{"title":"${'x'.repeat(200_000)}"}`, 'application/json'),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [400, 'Malformed JSON'],
      [415, 'Unsupported Media Type'],
      [415, 'Unsupported Media Type'],
      [413, 'Payload Too Large'],
    ]);
  });
});

describe('every answer', () => {
  test('has its own request id, whatever the client sends', async () => {
    const ids = new Set();
    for (let count = 0; count < 3; count += 1)
      ids.add((await callAs().get('/api/v3/me', { 'x-request-id': 'mine' })).headers.get('x-request-id'));
    expect(ids.size).toBe(3);
    expect(ids).not.toContain('mine');
  });

  test('cannot be framed or sniffed, and tells nothing of what we run', async () => {
    const { headers } = await (await asAdmin()).get('/api/v3/me');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['x-powered-by', 'server']) expect(headers.get(name)).toBeNull();
  });
});

test('a HEAD request is answered like GET, without the body', async () => {
  const admin = await asAdmin();
  const response = await fetch(`${baseUrl()}/api/v3/me`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('URLs in answers begin with the address that the client used (D6)', async () => {
  const { body } = await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=1');
  expect(body.links.first.startsWith(`${baseUrl()}/api/v3/quiz/pdf-quizzes?`)).toBe(true);
  const forged = await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=1', {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  });
  expect(forged.body.links.first).toBe(body.links.first);
});

test('a header that names somebody is not believed', async () => {
  const student = await newStudent();
  const headers = {
    'x-user-id': '1',
    'x-user-role': 'admin',
    'x-role': 'admin',
    'x-forwarded-user': 'admin',
  };
  expect((await student.get('/api/v3/quiz/pdf-quizzes', headers)).status).toBe(403);
  expect((await callAs().get('/api/v3/me', headers)).status).toBe(401);
});

test('the interface describes itself', async () => {
  const { status, body } = await send('GET', '/api/v3/openapi.json');
  expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\.1/)]);
  expect((await send('GET', '/docs')).headers.get('content-type')).toContain('text/html');
});

test('public keys are published, and nothing private of them (D37)', async () => {
  const { body } = await send('GET', '/.well-known/jwks.json');
  expect(body.keys.length).toBeGreaterThan(0);
  for (const key of body.keys) {
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(key).not.toHaveProperty('d');
  }
});
