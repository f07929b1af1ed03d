import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
/** The body that the service has received. */
let received: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  received = '';
  gateway.answer(async (req, res) => {
    received = await text(req);
    res.writeHead(200, { 'Content-Type': 'application/json', ETag: '"7"' }).end('{"deleted":true}');
  });
});
afterAll(() => gateway.close());

const path = '/api/v3/quiz/pdf-quizzes/7?force=1';

async function sendDelete(headers: Record<string, string>, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const authorization = `Bearer ${gateway.admin}`;
  request(`${gateway.url}${path}`, { method: 'DELETE', headers: { authorization, ...headers } })
    .once('response', resolve)
    .once('error', reject)
    .end(body);
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test.each([
  ['without headers about a body', {}],
  ['with Content-Length: 0', { 'content-length': '0' }],
])('a DELETE without a body, %s, is forwarded without one, with its headers', async (_, headers) => {
  const response = await sendDelete({ ...headers, 'if-match': '"6"' });
  expect(response).toMatchObject({ status: 200, headers: { etag: '"7"' }, body: '{"deleted":true}' });
  const { method, url, headers: seen } = gateway.last();
  expect([method, url, seen['if-match'], received]).toEqual(['DELETE', path, '"6"', '']);
  expect(seen['transfer-encoding']).toBeUndefined();
  // For a DELETE, no length and a length of 0 mean the same (RFC 9110 §8.6).
  expect(['0', undefined]).toContain(seen['content-length']);
});

const json = '{"reason":"انتهى"}';
const ofKnownLength = { 'content-length': String(Buffer.byteLength(json)) };

test.each([
  ['of known length', ofKnownLength],
  ['that is chunked', { 'transfer-encoding': 'chunked' }],
])('a DELETE with a body %s is forwarded with the body and its length', async (_, headers) => {
  const response = await sendDelete({ ...headers, 'content-type': 'application/json' }, json);
  expect([response.status, response.body]).toEqual([200, '{"deleted":true}']);
  const { headers: seen } = gateway.last();
  expect(received).toBe(json);
  expect([seen['content-type'], seen['content-length'], seen['transfer-encoding']]).toEqual([
    'application/json',
    ofKnownLength['content-length'],
    undefined,
  ]);
});

test('a DELETE response without a body is forwarded without one', async () => {
  gateway.answer((_req, res) => res.writeHead(204, { ETag: '"8"' }).end());
  const response = await sendDelete({});
  expect(response).toMatchObject({ status: 204, headers: { etag: '"8"' }, body: '' });
});

test('consecutive DELETEs with and without a body each get their own response', async () => {
  for (let count = 0; count < 3; count += 1) {
    expect((await sendDelete({ ...ofKnownLength, 'content-type': 'application/json' }, json)).status).toBe(
      200,
    );
    expect((await sendDelete({})).body).toBe('{"deleted":true}');
  }
});
