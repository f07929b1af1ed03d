import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type RequestHandler } from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type HttpServer, listen } from '../../src/http/server.ts';

async function serve(handler: RequestHandler): Promise<HttpServer> {
  const app = express();
  app.get('/', handler);
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return server;
}

/** Sends a request and does not read its response until `read` is called, which resolves with all received bytes. */
function request({ port }: HttpServer): { arrived: Promise<unknown>; read(): Promise<number> } {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const arrived = once(socket, 'readable');
  return {
    arrived,
    async read() {
      let bytes = 0;
      socket.on('data', (data: Buffer) => {
        bytes += data.length;
      });
      await once(socket, 'close');
      return bytes;
    },
  };
}

test('a response that is read slowly arrives completely even if the server closes in the meantime', async () => {
  const bytes = 30_000_000;
  const server = await serve((_req, res) => void res.send(Buffer.alloc(bytes)));
  const { arrived, read } = request(server);
  await arrived;
  const closed = server.close();
  // This delay is deliberate: a closing server ends idle connections every 100 ms.
  await sleep(500);
  expect(await read()).toBeGreaterThan(bytes);
  await closed;
});

test('a response that ends right before the server closes arrives', async () => {
  let closed: Promise<void> | undefined;
  const server: HttpServer = await serve((_req, res) => {
    // By then the whole request has been received, and its connection counts as idle once it has a response.
    setTimeout(() => {
      res.send('stored');
      closed = server.close();
    }, 20);
  });
  const { arrived, read } = request(server);
  await arrived;
  expect(await read()).toBeGreaterThan('stored'.length);
  await closed;
});

async function serveLogged(): Promise<{ server: HttpServer; lines: Record<string, unknown>[] }> {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const server = await listen(express(), { host: '127.0.0.1', port: 0, log });
  onTestFinished(() => server.close());
  return { server, lines };
}

test('a request that cannot be parsed is logged with the request id of its response, and without its bytes', async () => {
  const { server, lines } = await serveLogged();
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
  socket.write('a secret\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const [, requestId] = /X-Request-Id: (\S+)/.exec(answer) ?? [];
  expect(lines).toMatchObject([{ status: 400, request_id: requestId, code: 'HPE_INVALID_METHOD' }]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a request whose client disconnects midway is not logged', async () => {
  const { server, lines } = await serveLogged();
  const socket = connect(server.port, '127.0.0.1');
  socket.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf').resume();
  await once(socket, 'close');
  expect(lines).toEqual([]);
});
