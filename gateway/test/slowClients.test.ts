import { connect, type Socket } from 'node:net';
import { sendHalf, sendHalfLogin, sendHalfUpload } from '@gradeway/test/halfSentRequest';
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

const send = (path: string, headers: Record<string, string>, begin: string) =>
  sendHalf(gateway.url, path, headers, begin);
const json = { 'content-type': 'application/json' };
const sendLogin = () => sendHalfLogin(gateway.url);
const timeout = /^HTTP\/1.1 408 [\s\S]*\{"message":"Request Timeout","errors":null\}$/;

describe('a request that is refused', () => {
  const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '4' };

  test('a refused request gets its response after its body, so that nginx keeps the connection for the next one', async () => {
    const { socket, answer } = send('/api/v3/quiz/submit-pdf', form, 'ab');
    // The gateway has had time for other requests, but has not responded to this one.
    for (let each = 0; each < 5; each += 1) await client().get('/api/v3/user');
    expect(answer()).toBe('');
    socket.write('cd');
    await waitFor(() => /^HTTP\/1\.1 401 /.test(answer()));
    socket.write('GET /api/v3/nowhere HTTP/1.1\r\nhost: x\r\n\r\n');
    await waitFor(() => answer().split('HTTP/1.1 401 ').length === 3);
    socket.destroy();
  });

  test('a refused request gets its response without its body if that does not arrive in time', async () => {
    const { answer, ended } = send('/api/v3/quiz/submit-pdf', form, 'ab');
    await ended;
    expect(answer()).toMatch(/^HTTP\/1\.1 401 /);
  });

  // Python's urllib does this. If the connection were closed at once, it would be reset while the client is still sending.
  test('a refused request with Connection: close gets its response and is then read to the end', async () => {
    const size = 1024 * 1024 + 1;
    const headers = { ...form, 'content-length': `${size}`, connection: 'close' };
    const { socket, answer, ended } = send('/api/v3/quiz/submit-pdf', headers, 'ab');
    await waitFor(() => answer().startsWith('HTTP/1.1 401 '));
    // The gateway has had time to close the connection.
    for (let each = 0; each < 5; each += 1) await client().get('/api/v3/user');
    expect(socket.readyState).toBe('open');
    socket.write(Buffer.alloc(size - 2));
    await ended;
    expect(answer()).toMatch(/"message":"UnauthorizedRequest","errors":null\}$/);
  });

  test('a refused request with a large body gets its response at once', async () => {
    const large = { ...form, 'content-length': `${2 * 1024 * 1024}` };
    const { socket, answer } = send('/api/v3/quiz/submit-pdf', large, 'ab');
    await waitFor(() => answer().startsWith('HTTP/1.1 401 '));
    socket.destroy();
  });
});

describe('a body that is not a file (D53)', () => {
  test('a body that does not arrive is 408, and no service is called', async () => {
    const { answer, ended } = sendLogin();
    await ended;
    expect(answer()).toMatch(timeout);
    expect(received).toBe(0);
  });

  test('a dripping body is also 408', async () => {
    const { socket, answer, ended } = sendLogin();
    const drip = setInterval(() => socket.write(' '), 100);
    await ended;
    clearInterval(drip);
    expect(answer()).toMatch(timeout);
    expect(received).toBe(0);
  });

  test('a body reaches the service with its length, even if it was sent in chunks', async () => {
    const whole = await client().post('/api/v3/admin/courses', { title: 'A' });
    expect(whole.body).toEqual({ text: '{"title":"A"}', length: '13' });
    const { answer, socket } = send(
      '/api/v3/login',
      { ...json, 'transfer-encoding': 'chunked' },
      '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    );
    await waitFor(() => answer().includes('}'));
    expect(answer()).toContain(JSON.stringify({ text: '{"a":1}', length: '7' }));
    socket.destroy();
  });

  test('a request without a body is forwarded without one', async () => {
    expect((await client().delete('/api/v3/admin/courses/1')).body).toEqual({ text: '' });
  });

  test('a chunked body above 256 KB is 413, and no service is called', async () => {
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

  test('JSON is received completely on a route that also takes files', async () => {
    const headers = { ...json, authorization: `Bearer ${gateway.admin}`, 'content-length': '100' };
    const { answer, ended } = send('/api/v3/quiz/pdf-quizzes', headers, '{"title":');
    await ended;
    expect(answer()).toMatch(timeout);
    expect(received).toBe(0);
  });

  test('600 half-sent logins do not block a legitimate login from the same address', async () => {
    const halfSent = Array.from({ length: 600 }, sendLogin);
    await waitFor(() => halfSent.some(({ answer }) => timeout.test(answer())));
    const { status } = await createHttpClient({ baseUrl: gateway.url }).post('/api/v3/login', { email: 'a' });
    expect(status).toBe(200);
    expect(received).toBe(1);
    await Promise.all(halfSent.map(({ ended }) => ended));
    expect(halfSent.every(({ answer }) => timeout.test(answer()))).toBe(true);
  });
});

describe('an upload', () => {
  const upload = () => sendHalfUpload(gateway.url, gateway.admin);

  test('an upload that stops is 408, and its request to the service is aborted', async () => {
    let aborted = false;
    gateway.answer((req) => {
      received += 1;
      req.resume().once('close', () => (aborted = true));
    });
    const { answer, ended } = upload();
    await waitFor(() => received === 1);
    await ended;
    expect(answer()).toMatch(timeout);
    await waitFor(() => aborted);
  });

  test('an upload that drips is 408', async () => {
    const { socket, answer, ended } = upload();
    const drip = setInterval(() => socket.write('x'), 100);
    await ended;
    clearInterval(drip);
    expect(answer()).toMatch(timeout);
  });

  test('an upload at the required rate continues beyond the pause', async () => {
    const { socket, answer, ended } = upload();
    const startedAt = Date.now();
    const sending = setInterval(() => socket.write('x'.repeat(1_000)), 100);
    await waitFor(() => Date.now() - startedAt > 5_000);
    expect([answer(), socket.destroyed]).toEqual(['', false]);
    clearInterval(sending);
    socket.destroy();
    await ended;
  });

  test('an upload is not cut off when the service reads slowly', async () => {
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

  test('the gateway does not wait forever for the rest of a refused or failed upload', async () => {
    gateway.answer((req) => req.socket.destroy());
    const refused = send('/api/v3/quiz/submit-pdf', { 'content-length': '1000' }, 'x');
    const failed = upload();
    await waitFor(() => refused.answer().startsWith('HTTP/1.1 401'));
    await waitFor(() => failed.answer().startsWith('HTTP/1.1 503'));
    await Promise.all([refused.ended, failed.ended]);
  });
});

describe('a download', () => {
  const size = 32 * 1024 * 1024;

  /** Requests a file, and reads nothing of the response. */
  function startDownload(): Socket {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.write(`GET /api/v3/files/quiz/1 HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    return socket.pause();
  }

  test('a download whose client stops reading is cut off, and its request to the service is aborted', async () => {
    let isAborted = false;
    gateway.answer((_req, res) => {
      res.once('close', () => {
        isAborted = !res.writableFinished;
      });
      res.end(Buffer.alloc(size));
    });
    const socket = startDownload();
    await waitFor(() => isAborted);
    socket.destroy();
  });

  test('a download that is read slowly, but at the required rate, continues beyond the pause', async () => {
    gateway.answer((_req, res) => res.end(Buffer.alloc(size)));
    const startedAt = Date.now();
    const socket = startDownload();
    let received = 0;
    socket.on('data', ({ length }) => {
      received += length;
      socket.pause();
    });
    const reading = setInterval(() => socket.resume(), 50);
    await waitFor(() => Date.now() - startedAt > 5_000);
    clearInterval(reading);
    expect([socket.destroyed, received < size]).toEqual([false, true]);
    socket.removeAllListeners('data').destroy();
  });

  test('a download is not cut off when the service sends slowly', async () => {
    gateway.answer((_req, res) => {
      res.write('a');
      // This delay is deliberate: longer than a client may pause.
      setTimeout(() => res.end('b'), 4_000);
    });
    const answer = await fetch(`${gateway.url}/api/v3/files/quiz/1`);
    expect(await answer.text()).toBe('ab');
  });
});
