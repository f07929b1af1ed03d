import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextIteration } from 'node:timers/promises';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/server.ts';
import { batchWrites } from '../../src/v8/batchWrites.ts';

/** A connection that records the bytes that reach the kernel, and completes each write at once. */
function openConnection(sent: string[]): Socket {
  const connection = new Duplex({
    read: () => {},
    write: (chunk, _encoding, callback) => {
      sent.push(String(chunk));
      callback();
    },
    writev: (chunks, callback) => {
      sent.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      callback();
    },
  }) as Socket;
  batchWrites(connection);
  return connection;
}

test('writes wait until the other events of the iteration are handled, and keep their order', async () => {
  const sent: string[] = [];
  const [first, second] = [openConnection(sent), openConnection(sent)];
  second.write('b');
  first.cork();
  first.write('a1 ');
  first.write('a2');
  first.uncork();
  expect(sent).toEqual([]);
  await nextIteration();
  expect(sent).toEqual(['b', 'a1 a2']);
});

test('the sixteenth write sends all of them, and later ones are sent in the same iteration of the event loop', async () => {
  const sent: string[] = [];
  const write = (text: string) => openConnection(sent).write(text);
  for (let n = 1; n < 16; n += 1) write(`${n}`);
  expect(sent).toEqual([]);
  write('16');
  expect(sent).toHaveLength(16);
  write('17');
  expect(sent).toHaveLength(16);
  await nextIteration();
  expect(sent.at(-1)).toBe('17');
});

test('the callback of a write runs in the context of the request that wrote', async () => {
  const request = new AsyncLocalStorage<string>();
  const completedIn: (string | undefined)[] = [];
  for (const id of ['one', 'two'])
    request.run(id, () => openConnection([]).write('x', () => completedIn.push(request.getStore())));
  await nextIteration();
  expect(completedIn).toEqual(['one', 'two']);
});

test('a connection that breaks before its response is sent does not affect others', async () => {
  const app = express();
  app.get('/broken', (req, res) => {
    res.send('never sent');
    req.socket.destroy();
  });
  app.get('/whole', (_req, res) => void res.send('x'.repeat(3_000_000)));
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${server.port}`;
  const [broken, whole] = await Promise.allSettled([
    fetch(`${url}/broken`),
    fetch(`${url}/whole`).then((answer) => answer.text()),
  ]);
  expect(broken.status).toBe('rejected');
  expect(whole).toEqual({ status: 'fulfilled', value: 'x'.repeat(3_000_000) });
});
