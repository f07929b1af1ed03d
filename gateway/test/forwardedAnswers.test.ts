import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { Logger } from '@gradeway/shared/process/logger';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { createHttpClient } from '@gradeway/test/httpClient';
import { waitUntilStill } from '@gradeway/test/waitUntilStill';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ IDLE_TIMEOUT: '1s', RATE_LIMIT_PER_MINUTE: '0' });
});
beforeEach(() => gateway.answer((_req, res) => res.end('{}')));
afterAll(() => gateway.close());

const headers = () => ({ authorization: `Bearer ${gateway.admin}` });
const get = (path: string) => createHttpClient({ baseUrl: gateway.url }).get(path, headers());

/** Sends a request with node:http, which shows raw headers and does not follow anything. */
function send(method: string, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${gateway.url}${path}`, { method, headers: headers() })
      .once('response', resolve)
      .once('error', reject)
      .end();
  });
}

// A list is forwarded by undici, a file by http-proxy-middleware.
const paths = ['/api/v3/admin/courses', '/api/v3/files/quiz/1'];

describe.each(paths)('a response to %s', (path) => {
  test('a response keeps its status line and its headers, including repeated ones', async () => {
    gateway.answer((_req, res) => {
      res.writeHead(202, 'Taken', [
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Content-Security-Policy', 'sandbox'],
      ] as unknown as string[]);
      res.end('text');
    });
    const answer = await send('GET', path);
    expect([answer.statusCode, answer.statusMessage]).toEqual([202, 'Taken']);
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(answer.headers['x-twice']).toBe('a, b');
    // The service's own policy takes precedence over the gateway's.
    expect(answer.headers['content-security-policy']).toBe('sandbox');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    answer.resume();
  });

  test('hop-by-hop headers are removed from a response', async () => {
    gateway.answer((_req, res) => {
      res.setHeader('Keep-Alive', 'timeout=1').setHeader('Connection', 'keep-alive').end('{}');
    });
    const answer = await send('GET', path);
    expect(answer.headers['keep-alive']).not.toBe('timeout=1');
    answer.resume();
  });

  test('a response to HEAD has the length but no body', async () => {
    gateway.answer((_req, res) => res.setHeader('Content-Length', '1234').end());
    const answer = await send('HEAD', path);
    expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, '1234']);
    answer.resume();
  });

  test('responses without a body, including 304, are forwarded unchanged', async () => {
    for (const status of [204, 304]) {
      gateway.answer((_req, res) => res.writeHead(status, { ETag: '"1"' }).end());
      const answer = await get(path);
      expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([status, '"1"', null]);
    }
  });

  test('a response may be preceded by informational responses', async () => {
    gateway.answer((_req, res) => {
      res.writeEarlyHints({ link: '</style.css>; rel=preload' });
      res.setHeader('Content-Type', 'application/json').end('{"final":true}');
    });
    expect((await get(path)).body).toEqual({ final: true });
  });

  test('a response of unknown length is chunked', async () => {
    gateway.answer((_req, res) => {
      res.setHeader('Content-Type', 'application/json').write('{"a":');
      setTimeout(() => res.end('1}'), 50);
    });
    const answer = await get(path);
    expect([answer.body, answer.headers.get('transfer-encoding')]).toEqual([{ a: 1 }, 'chunked']);
  });

  test('a response is read from the service no faster than the client reads it', async () => {
    const size = 64 * 1024 * 1024;
    let written = 0;
    gateway.answer((_req, res) => {
      res.setHeader('Content-Length', size);
      const write = () => {
        while (written < size) {
          written += 65_536;
          if (!res.write(Buffer.alloc(65_536))) return void res.once('drain', write);
        }
        res.end();
      };
      write();
    });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.admin}\r\n\r\n`);
    socket.pause();
    // The buffers along the way fill up, and then nothing moves.
    expect(await waitUntilStill(() => written)).toBeLessThan(size / 2);
    socket.destroy();
  });

  test('a response closes the connection while the gateway shuts down', async () => {
    const leaving = await startGateway();
    leaving.health.drain();
    const answer = await createHttpClient({ baseUrl: leaving.url, token: leaving.admin }).get(path);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await leaving.close();
  });

  test('responses, failures and refusals all carry the security headers of the gateway', async () => {
    const own = ['content-security-policy', 'x-frame-options', 'strict-transport-security', 'x-request-id'];
    const answered = await get(path);
    gateway.answer((req) => req.socket.destroy());
    const failed = await get(path);
    const unknown = await get('/api/v3/unknown');
    expect([answered.status, failed.status, unknown.status]).toEqual([200, 503, 404]);
    for (const { headers: received } of [answered, failed, unknown])
      for (const name of own) expect([name, received.get(name)]).toEqual([name, expect.any(String)]);
  });
});

test.each(paths)(
  'a failure of %s on a reused connection is logged with the request it belongs to',
  async (path) => {
    const logged: unknown[] = [];
    const warn = () => logged.push(requestContext.getStore()?.requestId);
    const logging = await startGateway({}, { warn, info() {}, debug() {} } as unknown as Logger);
    const client = createHttpClient({ baseUrl: logging.url, token: logging.admin });
    await client.get(path);
    logging.answer((req) => req.socket.destroy());
    const failed = await client.get(path);
    expect([failed.status, logged]).toEqual([503, [failed.headers.get('x-request-id')]]);
    await logging.close();
  },
);

test('a service that does not accept connections leads to 503 or 504', async () => {
  const lonely = await startGateway({ COURSES_URL: 'http://127.0.0.1:9', IDLE_TIMEOUT: '1s' });
  const { status } = await createHttpClient({ baseUrl: lonely.url, token: lonely.admin }).get(paths[0] ?? '');
  expect([503, 504]).toContain(status);
  await lonely.close();
});

test("the path in a service's URL is prepended to the path of a request", async () => {
  const base = new URL(gateway.upstream);
  const below = await startGateway({ COURSES_URL: `${base.origin}/below/` });
  await createHttpClient({ baseUrl: below.url, token: below.admin }).get('/api/v3/admin/courses?page=2');
  expect(gateway.last().url).toBe('/below/api/v3/admin/courses?page=2');
  await below.close();
});
