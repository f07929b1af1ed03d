import { setTimeout as sleep } from 'node:timers/promises';
import { CoursesService } from '@gradeway/proto/courses';
import { type FakePeers, serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import {
  type ClientUnaryCall,
  credentials,
  Metadata,
  makeGenericClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceCredential } from '../../src/grpc/serviceCredential.ts';

type Unary = (
  request: object,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, answer: { status?: string }) => void,
) => ClientUnaryCall;

const Courses = makeGenericClientConstructor(CoursesService.service, 'courses');
const KubeletProbe = makeGenericClientConstructor(healthService, 'health');
const credential = createServiceCredential(serviceSecret, 'auth', 'courses');

let database: TestDatabase;
let peers: FakePeers;
let tokens: TokenIssuer;
let courses: ServiceProcess;

beforeAll(async () => {
  [database, peers, tokens] = await Promise.all([createTestDatabase(), startFakePeers(), startTokenIssuer()]);
  courses = await startService({
    service: 'courses',
    database,
    peers,
    tokens,
    env: { SHUTDOWN_DELAY: '2s' },
  });
});
afterAll(async () => {
  await courses?.stop();
  await Promise.all([peers?.close(), tokens?.close(), database?.drop()]);
});

// Without a shared pool, each client has its own connections.
const connect = (Client: typeof Courses) =>
  new Client(courses.grpcAddress, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });

/** Sends one call, without waiting for a connection, and returns its status or the state that a health check reports. */
function call(client: InstanceType<typeof Courses>, method: string, request: object): Promise<string> {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${credential()}`);
  const unary = client[method] as unknown as Unary;
  return new Promise((resolve) => {
    unary.call(client, request, metadata, { deadline: Date.now() + 10_000 }, (error, answer) =>
      resolve(error ? (status[error.code] as string) : (answer.status ?? 'OK')),
    );
  });
}

/** Repeats a call until it is stopped; counts the results. */
function repeat(send: () => Promise<string>) {
  const results: Record<string, number> = {};
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      const result = await send();
      results[result] = (results[result] ?? 0) + 1;
      await sleep(2);
    }
  })();
  return {
    results,
    stop() {
      isOver = true;
      return ended;
    },
  };
}

test('a process that receives SIGTERM completes every call, or rejects it as unavailable', async () => {
  const kept = connect(Courses);
  const read = (client: typeof kept) => call(client, 'countCartItems', { userId: 1 });
  const onNewConnection = async (Client: typeof Courses, send: (client: typeof kept) => Promise<string>) => {
    const client = connect(Client);
    return send(client).finally(() => client.close());
  };
  await waitFor(async () => (await read(kept)) === 'OK');

  const calls = [
    repeat(() => read(kept)),
    repeat(() => onNewConnection(Courses, read)),
    // Like the kubelet's probes, each on a separate connection.
    repeat(() => onNewConnection(KubeletProbe, (client) => call(client, 'check', { service: '' }))),
  ];
  await courses.stop();
  await waitFor(() => calls.every(({ results }) => results.UNAVAILABLE));
  await Promise.all(calls.map((each) => each.stop()));
  const [onKept, onNew, probes] = calls.map(({ results }) => results);
  kept.close();

  for (const results of [onKept, onNew])
    expect(results).toEqual({ OK: expect.any(Number), UNAVAILABLE: expect.any(Number) });
  expect(Object.keys(probes ?? {})).toEqual(expect.arrayContaining(['NOT_SERVING', 'UNAVAILABLE']));
  expect(['SERVING', 'NOT_SERVING', 'UNAVAILABLE']).toEqual(
    expect.arrayContaining(Object.keys(probes ?? {})),
  );
});
