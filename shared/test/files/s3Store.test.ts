import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore, LocalFile } from '@gradeway/shared/files/fileStore';
import { openS3Store } from '@gradeway/shared/files/s3Store';
import { createLogger } from '@gradeway/shared/process/logger';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

// A store that fails as it is told to: what servers of tests never do.
let answers: Answer[] = [];
let received: { method: string | undefined; headers: IncomingMessage['headers']; body: Buffer }[] = [];
let server: Server;
let store: FileStore;
let directory: string;
let file: LocalFile;
const bytes = randomBytes(300_000);

const refuse =
  (status: number, code: string): Answer =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/xml' });
    res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  };
const accept: Answer = (_req, res) => res.writeHead(200, { etag: '"e"' }).end();
const neverAnswer: Answer = () => {};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-s3-'));
  const path = join(directory, 'file');
  await writeFile(path, bytes);
  file = { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray().catch(() => []));
    received.push({ method: req.method, headers: req.headers, body });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { bucket: 'files', endpoint, region: 'eu-central-1', prefix: 'quiz/', forcePathStyle: true };
  store = openS3Store(place, createLogger('test', 'silent'));
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  store.close();
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});

const unavailable = expect.objectContaining({ code: 'unavailable' });

test('the store is told the sum of the file, and signs for it', async () => {
  answers = [accept];
  await store.put(randomUUID(), file);
  expect(received).toHaveLength(1);
  expect(received[0]?.headers).toMatchObject({
    'content-length': String(file.size),
    'x-amz-content-sha256': file.sha256,
    'x-amz-checksum-sha256': Buffer.from(file.sha256, 'hex').toString('base64'),
    authorization: expect.stringMatching(/SignedHeaders=[^,]*x-amz-content-sha256/),
  });
  expect(received[0]?.body.equals(bytes)).toBe(true);
});

test('a file whose sum the store does not find is not stored, and not sent again', async () => {
  answers = [refuse(400, 'XAmzContentSHA256Mismatch')];
  await expect(store.put(randomUUID(), file)).rejects.toEqual(unavailable);
  expect(received).toHaveLength(1);
});

test('a store in trouble is sent the whole file again', async () => {
  answers = [refuse(503, 'SlowDown'), (req) => req.socket.destroy(), accept];
  await store.put(randomUUID(), file);
  expect(received.map(({ body }) => body.equals(bytes))).toEqual([true, true, true]);
});

test('a store that stays in trouble is asked three times and no more', async () => {
  answers = [refuse(500, 'InternalError')];
  await expect(store.put(randomUUID(), file)).rejects.toEqual(unavailable);
  expect(received).toHaveLength(3);
  received = [];
  await expect(store.open(randomUUID())).rejects.toEqual(unavailable);
  expect(received).toHaveLength(3);
});

test.each<[string, () => Promise<unknown>]>([
  ['storing', () => store.put(randomUUID(), file)],
  ['opening', () => store.open(randomUUID())],
  ['removing', () => store.remove(randomUUID())],
])('%s waits for a silent store no longer than the request has left', async (_, call) => {
  answers = [neverAnswer];
  const startedAt = Date.now();
  const context = { requestId: randomUUID(), deadline: Date.now() + 300 };
  await expect(requestContext.run(context, call)).rejects.toEqual(unavailable);
  expect(Date.now() - startedAt).toBeLessThan(1_000);
});

test('a missing bucket is no missing file', async () => {
  answers = [refuse(404, 'NoSuchBucket')];
  await expect(store.open(randomUUID())).rejects.toEqual(unavailable);
});

test('a file that breaks off midway is an error and never looks complete', async () => {
  answers = [
    (_req, res) => {
      res.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => res.destroy(), 50);
    },
  ];
  const stream = await store.open(randomUUID());
  await expect(stream.toArray()).rejects.toThrow();
});

test('what is read may take longer than the limit for its first byte', async () => {
  answers = [
    (_req, res) => {
      res.writeHead(200, { 'content-length': '8' }).write('half');
      setTimeout(() => res.end('half'), 600);
    },
  ];
  const context = { requestId: randomUUID(), deadline: Date.now() + 300 };
  const stream = await requestContext.run(context, () => store.open(randomUUID()));
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('halfhalf');
});

test('a reader that goes away gives its connection back', async () => {
  const closed = new Promise<void>((resolve) => {
    answers = [
      (_req, res) => {
        res.writeHead(200, { 'content-length': '100000000' }).write('begun');
        res.once('close', resolve);
      },
    ];
  });
  const stream = await store.open(randomUUID());
  stream.destroy();
  await closed;
});

test('it counts as reached from the first success on, so that an outage later makes no replica leave', async () => {
  answers = [refuse(403, 'AccessDenied')];
  await expect(store.check()).rejects.toThrow();
  answers = [accept];
  await store.check();
  answers = [refuse(503, 'SlowDown')];
  await expect(store.check()).resolves.toBeUndefined();
});
