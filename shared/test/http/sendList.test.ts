import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { type JsonParts, sendList } from '../../src/http/sendList.ts';
import { listen } from '../../src/http/server.ts';

async function answerWith(data: JsonParts[], method = 'GET'): Promise<Response> {
  const app = express();
  app.get('/', (_req, res) => sendList(res, { ...envelope, data }));
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return fetch(`http://127.0.0.1:${server.port}/`, { method });
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
