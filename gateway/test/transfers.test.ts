import { BufferCollector } from '@gradeway/shared/v8/bufferCollector';
import { countedBuffers } from '@gradeway/test/countedBuffers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

/*
 * Buffers that are not counted are not collected: V8 then marks the whole heap for every 27 MB that pass, which was half of the CPU
 * time of a transfer.
 */
const bytes = 8 * 1024 * 1024;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('the buffers of an upload are counted for the collector while it passes through the gateway', async () => {
  let received = 0;
  gateway.answer((req, res) => {
    req.on('data', ({ length }) => {
      received += length;
    });
    req.on('end', () => res.end());
  });
  const counted = await countedBuffers(BufferCollector, async () => {
    const headers = {
      authorization: `Bearer ${gateway.admin}`,
      'content-type': 'multipart/form-data; boundary=x',
    };
    const body = Buffer.alloc(bytes);
    const answer = await fetch(`${gateway.url}/api/v3/quiz/submit-pdf`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  });
  expect(received).toBe(bytes);
  expect(counted).toBe(bytes);
});

test('the buffers of a download are counted while it passes through the gateway', async () => {
  gateway.answer((_req, res) => res.end(Buffer.alloc(bytes)));
  const counted = await countedBuffers(BufferCollector, async () => {
    const answer = await fetch(`${gateway.url}/api/v3/files/quiz/1`);
    expect((await answer.arrayBuffer()).byteLength).toBe(bytes);
  });
  expect(counted).toBe(bytes);
});

test('the buffers of lists, except small ones, are counted while they pass through the gateway', async () => {
  const list = Buffer.alloc(512 * 1024);
  gateway.answer((_req, res) => res.end(list));
  const headers = { authorization: `Bearer ${gateway.admin}` };
  const counted = await countedBuffers(BufferCollector, async () => {
    for (let received = 0; received < bytes; received += list.length) {
      const answer = await fetch(`${gateway.url}/api/v3/admin/courses`, { headers });
      expect((await answer.arrayBuffer()).byteLength).toBe(list.length);
    }
  });
  expect(counted).toBeGreaterThan(bytes / 2);
  expect(counted).toBeLessThanOrEqual(bytes);
});

test('a chunked upload that is refused before it has arrived leaves no connection that refuses the next upload', async () => {
  const paths: string[] = [];
  gateway.answer((req, res) => {
    paths.push(req.url ?? '');
    // Responds like sendError to a body that has not arrived completely. Here the rest of the body arrives before the
    // response.
    res.statusCode = 503;
    res.setHeader('Connection', 'keep-alive');
    req.resume().on('end', () => res.end());
  });
  const upload = () =>
    fetch(`${gateway.url}/api/v3/quiz/submit-pdf`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.admin}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: new Blob(['--x--']).stream(),
      duplex: 'half',
    } as RequestInit);
  const statuses = [];
  for (let each = 0; each < 3; each += 1) {
    const answer = await upload();
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([503, 503, 503]);
  expect(paths).toHaveLength(3);
});
