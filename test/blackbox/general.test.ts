import { describe, expect, test } from 'vitest';
import { asAdmin, baseUrl, callAs, newStudent } from './fixtures.ts';

const unauthorized = { message: 'UnauthorizedRequest', errors: null };

describe('errors (D2)', () => {
  test('an unknown path is 401 without a token and 404 with one', async () => {
    for (const path of ['/api/v3', '/api/v3/nothing', '/api/v3/admin/nothing']) {
      expect((await callAs().get(path)).body).toEqual(unauthorized);
      const { status, body } = await (await asAdmin()).get(path);
      expect([status, body]).toEqual([404, { message: 'Not Found', errors: null }]);
    }
  });

  test('an unsupported method is 405, and Allow lists the supported ones', async () => {
    const { status, headers } = await callAs().get('/api/v3/login');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    const admin = await asAdmin();
    const answer = await admin.put('/api/v3/admin/homeworks', {});
    expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([
      405,
      'GET, HEAD',
      { message: 'Method Not Allowed', errors: null },
    ]);
    for (const path of ['/docs', '/livez', '/readyz', '/api/v3/openapi.json', '/api/v3/asyncapi.json']) {
      const refused = await callAs().post(path);
      expect([refused.status, refused.headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
    }
  });

  test.each(['text/html', '*/*', 'application/xml', ''])(
    'an error is JSON for Accept: %j, never a redirect (D3)',
    async (accept) => {
      const { status, body } = await callAs().get('/api/v3/admin/homeworks', { accept });
      expect([status, body]).toEqual([401, unauthorized]);
    },
  );

  test('malformed JSON is 400, another content type is 415, and a body over the limit is 413', async () => {
    const admin = await asAdmin();
    const post = (body: string, type: string) =>
      admin.post('/api/v3/admin/courses', body, { 'content-type': type });
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

describe('every response', () => {
  test('a response has a new request id, whatever id the client sends', async () => {
    const ids = new Set();
    for (let count = 0; count < 3; count += 1)
      ids.add((await callAs().get('/api/v3/me', { 'x-request-id': 'mine' })).headers.get('x-request-id'));
    expect(ids.size).toBe(3);
    expect(ids).not.toContain('mine');
  });

  test('a response cannot be framed or sniffed, and names no server software', async () => {
    const { headers } = await (await asAdmin()).get('/api/v3/me');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['x-powered-by', 'server']) expect(headers.get(name)).toBeNull();
  });
});

test('HEAD returns the response of GET without the body', async () => {
  const admin = await asAdmin();
  const { status, body } = await admin.request('HEAD', '/api/v3/me');
  expect([status, body]).toEqual([200, null]);
});

test('URLs in responses begin with the address that the client used (D6)', async () => {
  const { body } = await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=1');
  expect(body.links.first.startsWith(`${baseUrl}/api/v3/quiz/pdf-quizzes?`)).toBe(true);
  const forged = await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=1', {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  });
  expect(forged.body.links.first).toBe(body.links.first);
});

test('identity headers sent by a client are ignored', async () => {
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

test('the gateway serves the OpenAPI document and its documentation page', async () => {
  const { status, body } = await callAs().get('/api/v3/openapi.json');
  expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\.1/)]);
  expect((await callAs().get('/docs')).headers.get('content-type')).toContain('text/html');
});

test('the gateway serves the AsyncAPI document', async () => {
  const { status, body } = await callAs().get('/api/v3/asyncapi.json');
  expect([status, body.asyncapi]).toEqual([200, '3.0.0']);
});

test('the key set contains only public keys (D37)', async () => {
  const { body } = await callAs().get('/.well-known/jwks.json');
  expect(body.keys.length).toBeGreaterThan(0);
  for (const key of body.keys) {
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(key).not.toHaveProperty('d');
  }
});
