import { requestedYoungCollections } from '@gradeway/test/requestedCollections';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

const bytes = 24 * 1024 * 1024;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/*
 * Otherwise V8 marks the whole heap for every 27 MB that pass, which was half of the CPU time of a transfer. Chunks are counted
 * when they arrive, so that the last ones may follow the last collection, and on a busy machine V8 sometimes makes one a full
 * collection.
 */
const leastCollections = bytes / (4 * 1024 * 1024) - 2;

test('the buffers of an upload are collected while it passes through the gateway', async () => {
  let received = 0;
  gateway.answer((req, res) => {
    req.on('data', ({ length }) => {
      received += length;
    });
    req.on('end', () => res.end());
  });
  const collections = await requestedYoungCollections(async () => {
    const headers = {
      authorization: `Bearer ${gateway.admin}`,
      'content-type': 'multipart/form-data; boundary=x',
    };
    const body = Buffer.alloc(bytes);
    const answer = await fetch(`${gateway.url}/api/v3/quiz/submit-pdf`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  });
  expect(received).toBe(bytes);
  expect(collections).toBeGreaterThanOrEqual(leastCollections);
});

test('the buffers of a download are collected while it passes through the gateway', async () => {
  gateway.answer((_req, res) => res.end(Buffer.alloc(bytes)));
  const collections = await requestedYoungCollections(async () => {
    const answer = await fetch(`${gateway.url}/api/v3/files/quiz/1`);
    expect((await answer.arrayBuffer()).byteLength).toBe(bytes);
  });
  expect(collections).toBeGreaterThanOrEqual(leastCollections);
});

test('the buffers of lists are collected while they pass through the gateway', async () => {
  const list = Buffer.alloc(512 * 1024);
  gateway.answer((_req, res) => res.end(list));
  const headers = { authorization: `Bearer ${gateway.admin}` };
  const collections = await requestedYoungCollections(async () => {
    for (let received = 0; received < bytes; received += list.length) {
      const answer = await fetch(`${gateway.url}/api/v3/admin/courses`, { headers });
      expect((await answer.arrayBuffer()).byteLength).toBe(list.length);
    }
  });
  expect(collections).toBeGreaterThanOrEqual(leastCollections);
});
