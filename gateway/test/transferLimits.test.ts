import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { waitFor } from '@gradeway/test/waitFor';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

interface Held {
  sent: ClientRequest;
  answer: Promise<IncomingMessage>;
}

let gateway: TestGateway;
let agent: Agent;
/** Responses of the service that a test keeps open. */
let open: ServerResponse[];
beforeEach(async () => {
  open = [];
  agent = new Agent();
  gateway = await startGateway({ RATE_LIMIT_PER_MINUTE: '0', IDLE_TIMEOUT: '2s', TRUSTED_PROXIES: '1' });
  gateway.answer((req, res) => {
    req.resume();
    res.write('%PDF-');
    open.push(res);
  });
});
afterEach(async () => {
  agent.destroy();
  await gateway.close();
});

const bearer = (user: number) => ({ authorization: `Bearer ${gateway.tokens.sign(user, 'user')}` });
const from = (address: string) => ({ 'x-forwarded-for': address });
const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '4' };

function send(method: string, path: string, headers: Record<string, string>): Held {
  const sent = request(`${gateway.url}${path}`, { method, agent, headers });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', (res) => resolve(res.resume().on('error', () => {}))).on('error', reject);
  });
  // A test may end before the response arrives.
  answer.catch(() => {});
  return { sent, answer };
}
const download = (headers: Record<string, string>) => {
  const held = send('GET', '/api/v3/files/quiz/1', headers);
  held.sent.end();
  return held;
};
const upload = (headers: Record<string, string>) => {
  const held = send('POST', '/api/v3/quiz/submit-pdf', { ...form, ...headers });
  held.sent.end('body');
  return held;
};
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const statusOf = async ({ answer }: Held) => (await answer).statusCode;
const isServed = async (held: Held) => (await statusOf(held)) === 200;

describe('TRANSFERS_PER_USER', () => {
  test('one user can have 16 uploads and downloads in progress; the next is 429 with Retry-After', async () => {
    const held = [...times(8, () => download(bearer(1))), ...times(8, () => upload(bearer(1)))];
    await waitFor(() => open.length === 16);
    const refused = await download(bearer(1)).answer;
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(await statusOf(upload(bearer(1)))).toBe(429);

    for (const res of open.splice(0)) res.end();
    await Promise.all(held.map(({ sent }) => new Promise((resolve) => sent.once('close', resolve))));
    expect(await isServed(upload(bearer(1)))).toBe(true);
  });

  test("transfers do not count against other users at the same address or the user's other requests", async () => {
    times(16, () => download(bearer(1)));
    await waitFor(() => open.length === 16);
    expect(await isServed(upload(bearer(2)))).toBe(true);
    const other = send('GET', '/api/v3/me', bearer(1));
    other.sent.end();
    expect(await isServed(other)).toBe(true);
  });
});

test('one address can use at most a quarter of the download slots; the next is 429 with Retry-After', async () => {
  times(256, () => download(from('192.0.2.1')));
  await waitFor(() => open.length === 256);
  const refused = await download(from('192.0.2.1')).answer;
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(await isServed(download(from('192.0.2.2')))).toBe(true);
  expect(await isServed(download({ ...from('192.0.2.1'), ...bearer(1) }))).toBe(true);
});

test('1,024 open downloads from several addresses leave all slots of uploads free', async () => {
  times(1_024, (index) => download(from(`192.0.2.${index % 4}`)));
  await waitFor(() => open.length === 1_024);
  expect(await statusOf(download(from('192.0.2.9')))).toBe(503);
  expect(await isServed(upload(bearer(1)))).toBe(true);
});

test('1,024 open uploads leave all slots of downloads free', async () => {
  times(1_024, (index) => upload(bearer(index + 1)));
  await waitFor(() => open.length === 1_024);
  expect(await isServed(download(from('192.0.2.1')))).toBe(true);
});
