import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ExportSubmissionsPart,
  SubmissionsService,
  type SubmissionsServiceClient,
  type SubmissionsServiceHandlers,
} from '@gradeway/proto/submissions';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/errors/appError.ts';
import { type GrpcServer, listenGrpc } from '../../src/grpc/server.ts';
import { createGrpcStreamClient, type GrpcStreamClient } from '../../src/grpc/streamClient.ts';
import type { StreamRpc } from '../../src/grpc/streamServer.ts';
import { Health } from '../../src/process/health.ts';
import { createLogger } from '../../src/process/logger.ts';

type Rpc = StreamRpc<{ courseId: number }, { chunk: Buffer }>;

const secret = 'a secret of the tests, long enough';
const log = createLogger('streams', 'silent');
const message = { chunk: Buffer.alloc(100_000, 1) };
let rpc: Rpc;
let server: GrpcServer;
let client: GrpcStreamClient<SubmissionsServiceClient>;

const connect = (address: string, key = secret) =>
  createGrpcStreamClient(SubmissionsService, { address, caller: 'courses', callee: 'quiz', secret: key });

beforeAll(async () => {
  server = await listenGrpc<SubmissionsServiceHandlers>({
    ...{ name: 'quiz', host: '127.0.0.1', port: 0, secret, log, health: new Health() },
    service: {
      definition: SubmissionsService.service,
      rpcs: { ExportSubmissions: (request, gone) => rpc(request, gone) },
    },
  });
  client = connect(`127.0.0.1:${server.port}`);
});
afterAll(async () => {
  client.close();
  await server.close();
});

type Limits = { firstMs?: number; idleMs?: number; longestMs?: number };
const read = (limits: Limits = {}, signal = new AbortController().signal, from = client) =>
  from.read('exportSubmissions', { courseId: 5 }, { signal, ...limits });
const all = async (messages: AsyncIterable<ExportSubmissionsPart>) => {
  let count = 0;
  for await (const { chunk } of messages) count += chunk?.length ?? 0;
  return count;
};
const unavailable = expect.objectContaining({ code: 'unavailable' });

/** A stream that tells when it was ended. */
function watched(messages: (gone: AbortSignal) => AsyncIterable<{ chunk: Buffer }>) {
  const state = { given: 0, ended: false, aborted: false };
  rpc = async function* (_request, gone) {
    gone.addEventListener('abort', () => (state.aborted = true));
    try {
      for await (const each of messages(gone)) {
        state.given += 1;
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

test('a stream comes whole, in its order', async () => {
  rpc = async function* ({ courseId }) {
    for (let index = 0; index < 50; index += 1) yield { chunk: Buffer.from(`${courseId} ${index}`) };
  };
  const received = [];
  for await (const { chunk } of read()) received.push(chunk?.toString());
  expect(received).toEqual(Array.from({ length: 50 }, (_, index) => `5 ${index}`));
});

test('an empty stream is none of an error', async () => {
  rpc = async function* () {};
  expect(await all(read())).toBe(0);
});

test('a reader who pauses stops the work', async () => {
  const state = watched(endless);
  const messages = read();
  await messages.next();
  await sleep(300);
  const { given } = state;
  // Sixteen messages each side, and what the connection holds.
  expect(given).toBeLessThan(120);
  await sleep(300);
  expect(state.given).toBe(given);
  await messages.return();
  await waitFor(() => state.ended);
});

test('a reader who stops ends the call at the other side', async () => {
  const state = watched(endless);
  for await (const _ of read()) break;
  await waitFor(() => state.ended && state.aborted);
});

test('an aborted signal ends it as well, also while nothing comes', async () => {
  const state = watched(async function* (gone) {
    yield message;
    await sleep(60_000, undefined, { signal: gone });
  });
  const abort = new AbortController();
  const messages = read({}, abort.signal);
  await messages.next();
  const next = messages.next();
  abort.abort();
  await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  await waitFor(() => state.ended && state.aborted);
});

test('a fault midway is an error after what came before, and tells nothing of its cause', async () => {
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
  ['a later one', { idleMs: 200 }, 1],
])('a service that is silent before %s is out of reach, and let go', async (_, limits, before) => {
  const state = watched(async function* (gone) {
    for (let index = 0; index < before; index += 1) yield message;
    await sleep(60_000, undefined, { signal: gone });
  });
  await expect(all(read(limits))).rejects.toEqual(unavailable);
  await waitFor(() => state.ended && state.aborted);
});

test('the time that its reader takes is not held against a service', async () => {
  rpc = async function* () {
    yield message;
    yield message;
  };
  const messages = read({ idleMs: 100 });
  await messages.next();
  await sleep(300);
  expect((await messages.next()).done).toBe(false);
  expect((await messages.next()).done).toBe(true);
});

test('a call ends at its deadline, at both sides, whatever is still to come', async () => {
  const state = watched(endless);
  await expect(all(read({ longestMs: 300 }))).rejects.toEqual(unavailable);
  await waitFor(() => state.ended);
});

test('a stranger gets nothing', async () => {
  const state = watched(endless);
  const stranger = connect(`127.0.0.1:${server.port}`, 'a secret that nobody else knows');
  await expect(all(read({}, undefined, stranger))).rejects.toMatchObject({ code: 'internal' });
  expect(state.given).toBe(0);
  stranger.close();
});

test('a service that is not there is out of reach once the first message is late', async () => {
  const nobody = connect('127.0.0.1:1');
  await expect(all(read({ firstMs: 200 }, undefined, nobody))).rejects.toEqual(unavailable);
  nobody.close();
});
