import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FileStore, LocalFile } from '../../src/files/fileStore.ts';
import { openS3Store } from '../../src/files/s3Store.ts';
import { createLogger } from '../../src/process/logger.ts';
import { requestContext } from '../../src/process/requestContext.ts';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

// An S3 server whose responses each test defines, to simulate failures that real test servers do not produce.
let answers: Answer[] = [];
let received: { method: string | undefined; headers: IncomingMessage['headers']; body: Buffer }[] = [];
let server: Server;
let store: FileStore;
let directory: string;
let file: LocalFile;
const bytes = randomBytes(300_000);

const reject =
  (status: number, code: string): Answer =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/xml' });
    res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  };
const accept: Answer = (_req, res) => res.writeHead(200, { etag: '"e"' }).end();
const hang: Answer = () => {};

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
  const config = { bucket: 'files', endpoint, region: 'eu-central-1', prefix: 'quiz/', forcePathStyle: true };
  store = openS3Store(config, createLogger('test', 'silent'));
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

test('an upload sends the SHA-256 of the file in a signed header', async () => {
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

test('an upload whose checksum does not match fails without a retry', async () => {
  answers = [reject(400, 'XAmzContentSHA256Mismatch')];
  await expect(store.put(randomUUID(), file)).rejects.toEqual(unavailable);
  expect(received).toHaveLength(1);
});

test('an upload is retried from the start after errors of the store', async () => {
  answers = [reject(503, 'SlowDown'), (req) => req.socket.destroy(), accept];
  await store.put(randomUUID(), file);
  expect(received.map(({ body }) => body.equals(bytes))).toEqual([true, true, true]);
});

test('an operation is attempted at most three times', async () => {
  answers = [reject(500, 'InternalError')];
  await expect(store.put(randomUUID(), file)).rejects.toEqual(unavailable);
  expect(received).toHaveLength(3);
  received = [];
  await expect(store.open(randomUUID())).rejects.toEqual(unavailable);
  expect(received).toHaveLength(3);
});

test.each<[string, () => Promise<unknown>]>([
  ['put', () => store.put(randomUUID(), file)],
  ['open', () => store.open(randomUUID())],
  ['remove', () => store.remove(randomUUID())],
])('%s fails at the deadline of the request when the store hangs', async (_, call) => {
  answers = [hang];
  const context = { requestId: randomUUID(), deadline: Date.now() + 300 };
  await expect(requestContext.run(context, call)).rejects.toEqual(unavailable);
});

test('a missing bucket is not reported as a missing file', async () => {
  answers = [reject(404, 'NoSuchBucket')];
  await expect(store.open(randomUUID())).rejects.toEqual(unavailable);
});

test('a download that ends prematurely fails', async () => {
  answers = [
    (_req, res) => {
      res.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => res.destroy(), 50);
    },
  ];
  const stream = await store.open(randomUUID());
  await expect(stream.toArray()).rejects.toThrow();
});

test('reading a file may take longer than the first-byte timeout', async () => {
  answers = [
    (_req, res) => {
      res.writeHead(200, { 'content-length': '8' }).write('half');
      // This delay is deliberate: it is longer than the deadline of the request.
      setTimeout(() => res.end('half'), 600);
    },
  ];
  const context = { requestId: randomUUID(), deadline: Date.now() + 300 };
  const stream = await requestContext.run(context, () => store.open(randomUUID()));
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('halfhalf');
});

test('destroying a download closes its connection', async () => {
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

test('the readiness check succeeds permanently after the first success', async () => {
  answers = [reject(403, 'AccessDenied')];
  await expect(store.check()).rejects.toThrow();
  answers = [accept];
  await store.check();
  answers = [reject(503, 'SlowDown')];
  await expect(store.check()).resolves.toBeUndefined();
});
