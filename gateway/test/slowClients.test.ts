import { connect, type Socket } from 'node:net';
import { createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
let received = 0;
beforeAll(async () => {
  gateway = await startGateway({
    BODY_TIMEOUT: '1500ms',
    UPLOAD_MAX_PAUSE: '1500ms',
    UPLOAD_MIN_RATE: '1000',
    RATE_LIMIT_PER_MINUTE: '0',
  });
});
beforeEach(() => {
  received = 0;
  gateway.answer((req, res) => {
    received += 1;
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
      res.setHeader('Content-Type', 'application/json');
      res.end(JSON.stringify({ text: Buffer.concat(chunks).toString(), length, encoding }));
    });
  });
});
afterAll(() => gateway.close());

const client = () => createHttpClient({ baseUrl: gateway.url, token: gateway.admin });

interface RawConnection {
  socket: Socket;
  text(): string;
  closed: Promise<void>;
}

/** Sends the head of a request and the beginning of its body. */
function send(path: string, headers: Record<string, string>, begin: string): RawConnection {
  const { port, host } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${begin}`);
  return { socket, text: () => text, closed };
}

const json = { 'content-type': 'application/json' };
const sendLogin = () => send('/api/v3/login', { ...json, 'content-length': '100' }, '{"email":');
const timeout = /^HTTP\/1.1 408 [\s\S]*\{"message":"Request Timeout","errors":null\}$/;

describe('a body that is not a file (D53)', () => {
  test('a body that does not arrive is 408, and no service is asked', async () => {
    const { text, closed } = sendLogin();
    await closed;
    expect(text()).toMatch(timeout);
    expect(received).toBe(0);
  });

  test('a dripping body is 408 as well', async () => {
    const { socket, text, closed } = sendLogin();
    const drip = setInterval(() => socket.write(' '), 100);
    await closed;
    clearInterval(drip);
    expect(text()).toMatch(timeout);
    expect(received).toBe(0);
  });

  test('a body reaches the service with its length, also when it was sent in chunks', async () => {
    const whole = await client().post('/api/v3/admin/courses', { title: 'A' });
    expect(whole.body).toEqual({ text: '{"title":"A"}', length: '13' });
    const { text, socket } = send(
      '/api/v3/login',
      { ...json, 'transfer-encoding': 'chunked' },
      '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    );
    await waitFor(() => text().includes('}'));
    expect(text()).toContain(JSON.stringify({ text: '{"a":1}', length: '7' }));
    socket.destroy();
  });

  test('a request without a body is forwarded without one', async () => {
    expect((await client().delete('/api/v3/admin/courses/1')).body).toEqual({ text: '', length: '0' });
  });

  test('a chunked body above 256 KB is 413, and no service is asked', async () => {
    const chunk = 'x'.repeat(64 * 1024);
    const stream = new ReadableStream({
      start(controller) {
        for (let count = 0; count < 5; count += 1) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const { status, body } = await client().post('/api/v3/admin/courses', stream);
    expect([status, body]).toEqual([413, { message: 'Payload Too Large', errors: null }]);
    expect(received).toBe(0);
  });

  test('JSON is received whole on a route that also takes files', async () => {
    const headers = { ...json, authorization: `Bearer ${gateway.admin}`, 'content-length': '100' };
    const { text, closed } = send('/api/v3/quiz/pdf-quizzes', headers, '{"title":');
    await closed;
    expect(text()).toMatch(timeout);
    expect(received).toBe(0);
  });

  test('600 half-sent logins leave an honest login from the same address its place', async () => {
    const halfSent = Array.from({ length: 600 }, sendLogin);
    await waitFor(() => halfSent.some(({ text }) => timeout.test(text())));
    const { status } = await createHttpClient({ baseUrl: gateway.url }).post('/api/v3/login', { email: 'a' });
    expect(status).toBe(200);
    expect(received).toBe(1);
    await Promise.all(halfSent.map(({ closed }) => closed));
    expect(halfSent.every(({ text }) => timeout.test(text()))).toBe(true);
  });
});

describe('an upload', () => {
  const upload = (begin: string) =>
    send(
      '/api/v3/quiz/submit-pdf',
      {
        authorization: `Bearer ${gateway.admin}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000',
      },
      begin,
    );

  test('an upload that stops is 408, and its request to the service is aborted', async () => {
    let aborted = false;
    gateway.answer((req) => {
      received += 1;
      req.resume().once('close', () => (aborted = true));
    });
    const { text, closed } = upload('--x\r\n');
    await waitFor(() => received === 1);
    await closed;
    expect(text()).toMatch(timeout);
    await waitFor(() => aborted);
  });

  test('an upload that drips is 408', async () => {
    const { socket, text, closed } = upload('x');
    const drip = setInterval(() => socket.write('x'), 100);
    await closed;
    clearInterval(drip);
    expect(text()).toMatch(timeout);
  });

  test('an upload at the required rate continues beyond the pause', async () => {
    const { socket, text, closed } = upload('x');
    const startedAt = Date.now();
    const sending = setInterval(() => socket.write('x'.repeat(1_000)), 100);
    await waitFor(() => Date.now() - startedAt > 5_000);
    expect([text(), socket.destroyed]).toEqual(['', false]);
    clearInterval(sending);
    socket.destroy();
    await closed;
  });

  test('a service that reads slowly is not blamed on the client', async () => {
    let resume = () => {};
    gateway.answer((req, res) => {
      received += 1;
      resume = () => req.resume();
      req.once('end', () => res.end('{}'));
    });
    const body = Buffer.alloc(20_000_000);
    const answer = client().post('/api/v3/quiz/submit-pdf', body, { 'content-type': 'application/pdf' });
    await waitFor(() => received === 1);
    const startedAt = Date.now();
    await waitFor(() => Date.now() - startedAt > 4_000);
    resume();
    expect((await answer).status).toBe(200);
  });

  test('what follows a refused upload is not awaited forever', async () => {
    const { text, closed } = send('/api/v3/quiz/submit-pdf', { 'content-length': '1000' }, 'x');
    await waitFor(() => text().startsWith('HTTP/1.1 401'));
    await closed;
  });
});
