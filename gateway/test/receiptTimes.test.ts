import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { verifyReceiptTime } from '@gradeway/shared/http/receiptTime';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
const agent = new Agent();
const received: { req: IncomingMessage; res: ServerResponse }[] = [];

beforeAll(async () => {
  gateway = await startGateway({ TRANSFERS_PER_USER: '0', RATE_LIMIT_PER_MINUTE: '0' });
  gateway.answer((req, res) => void received.push({ req: req.resume(), res }));
});
afterAll(async () => {
  agent.destroy();
  await gateway.close();
});

/** Begins an upload of one byte; `continued` resolves when the gateway has its headers. */
function upload(headers: Record<string, string> = {}): { sent: ClientRequest; continued: Promise<unknown> } {
  const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1' };
  const sent = request(`${gateway.url}/api/v3/quiz/submit-pdf`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${gateway.admin}`, expect: '100-continue', ...form, ...headers },
  });
  sent.on('error', () => {}).flushHeaders();
  return { sent, continued: once(sent, 'continue').then(() => sent.end('x')) };
}

/** The time of receipt that the service accepts. */
const receiptTimeOf = ({ headers }: IncomingMessage): number | undefined =>
  verifyReceiptTime(headers['x-received-at'] as string | undefined, {
    requestId: String(headers['x-request-id']),
    keys: ['x'.repeat(20)],
    arrivedAt: Date.now(),
  });

test('an upload that waits for its slot keeps the time at which its headers arrived (D25)', async () => {
  const places = 1_024;
  const first = Array.from({ length: places }, () => upload());
  await Promise.all(first.map(({ continued }) => continued));
  await waitFor(() => received.length === places);

  const last = upload();
  await last.continued;
  const continuedAt = Date.now();
  await waitFor(() => Date.now() > continuedAt);
  expect(received).toHaveLength(places);
  received[0]?.res.end('{}');
  await waitFor(() => received.length > places);
  const waited = received.at(-1)?.req as IncomingMessage;
  expect(receiptTimeOf(waited)).toBeLessThanOrEqual(continuedAt);
  for (const { res } of received.splice(0)) if (!res.writableEnded) res.end('{}');
});

test('a receipt time that a client sends is not forwarded', async () => {
  const { continued } = upload({ 'x-received-at': '1700000000000.forged' });
  await continued;
  await waitFor(() => received.length === 1);
  const [{ req, res } = { req: undefined, res: undefined }] = received.splice(0);
  expect(req?.headers['x-received-at']).toMatch(/^\d{13}\.[\w-]{43}$/);
  expect(req?.headers['x-received-at']).not.toContain('1700000000000');
  res?.end('{}');
});

test('requests other than uploads have no receipt time', async () => {
  const sent = request(`${gateway.url}/api/v3/me`, {
    agent,
    headers: { authorization: `Bearer ${gateway.admin}`, 'x-received-at': '1700000000000.forged' },
  }).end();
  await waitFor(() => received.length === 1);
  const [{ req, res } = { req: undefined, res: undefined }] = received.splice(0);
  expect(req?.headers).not.toHaveProperty('x-received-at');
  res?.end('{}');
  await once(sent, 'close');
});
