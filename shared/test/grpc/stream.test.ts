import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ExportSubmissionsPart,
  SubmissionsService,
  type SubmissionsServiceClient,
  type SubmissionsServiceHandlers,
} from '@gradeway/proto/submissions';
import { openToAll } from '@gradeway/test/openToAll';
import { waitFor } from '@gradeway/test/waitFor';
import { waitUntilStill } from '@gradeway/test/waitUntilStill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/errors/appError.ts';
import { type GrpcServer, listenGrpc } from '../../src/grpc/server.ts';
import { createGrpcStreamClient, type GrpcStreamClient } from '../../src/grpc/streamClient.ts';
import type { StreamRpc } from '../../src/grpc/streamServer.ts';
import { Health } from '../../src/process/health.ts';
import { createLogger } from '../../src/process/logger.ts';

type Rpc = StreamRpc<{ courseId: number }, { chunk: Buffer }>;

const secret = 'a test secret, long enough';
const log = createLogger('streams', 'silent');
const message = { chunk: Buffer.alloc(100_000, 1) };
let rpc: Rpc;
let server: GrpcServer;
let client: GrpcStreamClient<SubmissionsServiceClient>;

const connect = (address: string, key = secret) =>
  createGrpcStreamClient(SubmissionsService, { address, caller: 'courses', callee: 'quiz', secret: key });

const startServer = () =>
  listenGrpc<SubmissionsServiceHandlers>({
    name: 'quiz',
    host: '127.0.0.1',
    port: 0,
    secret,
    log,
    health: new Health(),
    service: openToAll<SubmissionsServiceHandlers>({
      definition: SubmissionsService.service,
      rpcs: {
        ExportSubmissions: (request, signal) => rpc(request, signal),
        CountSubmissions: async () => ({ counts: [] }),
        GetRubric: async () => ({}),
      },
    }),
  });

beforeAll(async () => {
  server = await startServer();
  client = connect(`127.0.0.1:${server.port}`);
});
afterAll(async () => {
  client.close();
  await server.close();
});

type Limits = { firstMs?: number; idleMs?: number; maxMs?: number };
const read = (limits: Limits = {}, signal = new AbortController().signal, from = client) =>
  from.read('exportSubmissions', { courseId: 5 }, { signal, ...limits });
const all = async (messages: AsyncIterable<ExportSubmissionsPart>) => {
  let count = 0;
  for await (const { chunk } of messages) count += chunk?.length ?? 0;
  return count;
};
const unavailable = expect.objectContaining({ code: 'unavailable' });

/** Serves a stream and records its progress and its end. */
function serveStream(messages: (signal: AbortSignal) => AsyncIterable<{ chunk: Buffer }>) {
  const state = { sent: 0, ended: false, aborted: false };
  rpc = async function* (_request, signal) {
    signal.addEventListener('abort', () => (state.aborted = true));
    try {
      for await (const each of messages(signal)) {
        state.sent += 1;
        yield each;
      }
    } finally {
      state.ended = true;
    }
  };
  return state;
}

async function* endless() {
  for (;;) yield message;
}

test('a stream is delivered completely and in order', async () => {
  rpc = async function* ({ courseId }) {
    for (let index = 0; index < 50; index += 1) yield { chunk: Buffer.from(`${courseId} ${index}`) };
  };
  const received = [];
  for await (const { chunk } of read()) received.push(chunk?.toString());
  expect(received).toEqual(Array.from({ length: 50 }, (_, index) => `5 ${index}`));
});

test('an empty stream is not an error', async () => {
  rpc = async function* () {};
  expect(await all(read())).toBe(0);
});

test('a reader that pauses pauses the server', async () => {
  const state = serveStream(endless);
  const messages = read();
  await messages.next();
  // Sixteen messages on each side, and the buffers of the connection.
  expect(await waitUntilStill(() => state.sent)).toBeLessThan(120);
  await messages.return();
  await waitFor(() => state.ended);
});

test('a reader that stops cancels the call on the server', async () => {
  const state = serveStream(endless);
  for await (const _ of read()) break;
  await waitFor(() => state.ended && state.aborted);
});

test('an aborted signal cancels the call, even while no message arrives', async () => {
  const state = serveStream(async function* (signal) {
    yield message;
    await sleep(60_000, undefined, { signal });
  });
  const abort = new AbortController();
  const messages = read({}, abort.signal);
  await messages.next();
  const next = messages.next();
  abort.abort();
  await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  await waitFor(() => state.ended && state.aborted);
});

test('an error midway follows the earlier messages and does not reveal its cause', async () => {
  rpc = async function* () {
    yield message;
    throw new Error('SELECT secret');
  };
  const messages = read();
  expect((await messages.next()).done).toBe(false);
  const error = await messages.next().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'internal', message: 'Server Error' });
  expect(String(error.cause)).not.toContain('SELECT');
});

test.each([
  ['the first message', { firstMs: 200 }, 0],
  ['a later message', { idleMs: 200 }, 1],
])('a service that hangs before %s is unavailable, and its call is cancelled', async (_, limits, before) => {
  const state = serveStream(async function* (signal) {
    for (let index = 0; index < before; index += 1) yield message;
    await sleep(60_000, undefined, { signal });
  });
  await expect(all(read(limits))).rejects.toEqual(unavailable);
  await waitFor(() => state.ended && state.aborted);
});

test("the reader's own time does not count towards the timeout", async () => {
  rpc = async function* () {
    yield message;
    yield message;
  };
  const messages = read({ idleMs: 100 });
  await messages.next();
  // This delay is deliberate: it is longer than the timeout.
  await sleep(300);
  expect((await messages.next()).done).toBe(false);
  expect((await messages.next()).done).toBe(true);
});

test('a call ends on both sides at its deadline', async () => {
  const state = serveStream(endless);
  await expect(all(read({ maxMs: 300 }))).rejects.toEqual(unavailable);
  await waitFor(() => state.ended);
});

test('a call with an invalid credential is rejected', async () => {
  const state = serveStream(endless);
  const forger = connect(`127.0.0.1:${server.port}`, 'another secret that is long enough');
  await expect(all(read({}, undefined, forger))).rejects.toMatchObject({ code: 'internal' });
  expect(state.sent).toBe(0);
  forger.close();
});

test('an unreachable service is unavailable after the timeout of the first message', async () => {
  const unreachable = connect('127.0.0.1:1');
  await expect(all(read({ firstMs: 200 }, undefined, unreachable))).rejects.toEqual(unavailable);
  unreachable.close();
});

// This delay is deliberate: it is longer than the time that a server gives to the streams of the health protocol.
test('a stopping server completes streams in progress first', async () => {
  const stopping = await startServer();
  const own = connect(`127.0.0.1:${stopping.port}`);
  const state = serveStream(async function* () {
    for (let second = 0; second < 8; second += 1) {
      yield message;
      await sleep(1_000);
    }
  });
  const reading = all(read({}, undefined, own));
  await waitFor(() => state.sent > 0);
  await stopping.close();
  expect(await reading).toBe(8 * message.chunk.length);
  own.close();
});
