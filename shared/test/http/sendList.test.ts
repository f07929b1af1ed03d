import { once } from 'node:events';
import express, { type RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { type JsonParts, sendList } from '../../src/http/sendList.ts';
import { listen } from '../../src/http/server.ts';

async function serve(handler: RequestHandler): Promise<string> {
  const app = express();
  app.get('/', handler);
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}/`;
}

async function answerWith(data: JsonParts[], method = 'GET'): Promise<Response> {
  const url = await serve((_req, res) => sendList(res, { ...envelope, data }));
  return fetch(url, { method });
}

// A text of the envelope may look like its list.
const envelope = { path: '"data":[]', total: 2 };

const lists: [string, JsonParts[], unknown[]][] = [
  ['no items', [], []],
  ['items of texts', [['{"a":', '1}'], ['2']], [{ a: 1 }, 2]],
  ['items of texts and bytes', [['[', Buffer.from('"宿題"'), ']'], [Buffer.from('2')]], [['宿題'], 2]],
  ['items whose bytes are empty', [['[', Buffer.alloc(0), ']']], [[]]],
];

test.each(lists)('%s arrive as JSON with the rest of the envelope', async (_, data, items) => {
  const answer = await answerWith(data);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = await answer.text();
  expect(JSON.parse(body)).toEqual({ ...envelope, data: items });
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
});

test('HEAD has the headers of GET and no body', async () => {
  const [get, head] = [await answerWith([['"é"']]), await answerWith([['"é"']], 'HEAD')];
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  expect(await head.text()).toBe('');
});

test('a client that has gone is no error', async () => {
  const parts = [['[', Buffer.from('1'), ']']];
  const leaving = new AbortController();
  const sent = Promise.withResolvers<void>();
  const url = await serve(async (req, res) => {
    if (req.get('leave') !== undefined) {
      leaving.abort();
      await once(res, 'close');
    }
    sendList(res, { data: parts });
    sent.resolve();
  });
  await expect(fetch(url, { signal: leaving.signal, headers: { leave: 'now' } })).rejects.toThrow();
  await sent.promise;
  expect(await (await fetch(url)).json()).toEqual({ data: [[1]] });
});
