import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoursesService, type CoursesServiceClient } from '@gradeway/proto/courses';
import { type FakePeers, serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import { waitUntilStill } from '@gradeway/test/waitUntilStill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGrpcClient, type GrpcClient } from '../../src/grpc/client.ts';
import { requestContext } from '../../src/process/requestContext.ts';

let database: TestDatabase;
let peers: FakePeers;
let tokens: TokenIssuer;
let replicas: ServiceProcess[];
let client: GrpcClient<CoursesServiceClient>;

const connect = (address: string) =>
  createGrpcClient(CoursesService, { address, caller: 'auth', callee: 'courses', secret: serviceSecret });

beforeAll(async () => {
  [database, peers, tokens] = await Promise.all([createTestDatabase(), startFakePeers(), startTokenIssuer()]);
  const start = () =>
    startService({ service: 'courses', database, peers, tokens, env: { LOG_LEVEL: 'debug' } });
  // Sequentially, because the first one creates the tables.
  replicas = [await start(), await start()];
  client = connect(`ipv4:${replicas.map(({ grpcAddress }) => grpcAddress).join(',')}`);
});
afterAll(async () => {
  client?.close();
  await Promise.all(replicas?.map((replica) => replica.stop()) ?? []);
  await Promise.all([peers?.close(), tokens?.close(), database?.drop()]);
});

const served = (replica: ServiceProcess | undefined) => replica?.log().match(/"gRPC call"/g)?.length ?? 0;
const read = (each = client) => each.call('countCartItems', { userId: 1 }, { timeoutMs: 1_000 });
/** Sends reads until each replica has logged one and no more lines arrive. */
const untilServedByBoth = async () => {
  const before = replicas.map(served);
  await waitFor(async () => {
    await Promise.all(Array.from({ length: 10 }, () => read()));
    return replicas.every((replica, index) => served(replica) > (before[index] ?? 0));
  });
  await waitUntilStill(() => replicas.map(served).reduce((sum, count) => sum + count));
};

test('calls are distributed over all replicas', async () => {
  await untilServedByBoth();
  const before = replicas.map(served);
  for (let call = 0; call < 20; call += 1) await read();
  await waitFor(() => replicas.every((replica, index) => served(replica) - (before[index] ?? 0) === 10));
});

test('a DNS name is resolved', async () => {
  const port = replicas[0]?.grpcAddress.split(':')[1];
  const byName = connect(`dns:///localhost:${port}`);
  expect(await read(byName)).toEqual({ count: 0 });
  byName.close();
});

test('reads do not fail when a replica is killed, and it is used again after its restart', async () => {
  const [first] = replicas;
  let failed = 0;
  let succeeded = 0;
  let stopped = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      await read().then(
        () => (succeeded += 1),
        () => (failed += 1),
      );
      await sleep(2);
    }
  });
  await waitFor(() => succeeded > 20);
  first?.kill('SIGKILL');
  const before = succeeded;
  await waitFor(() => succeeded > before + 200);
  stopped = true;
  await Promise.all(callers);
  await first?.start();
  expect(failed).toBe(0);
  await untilServedByBoth();
});

test('a replica that hangs is skipped until it responds again', async () => {
  const [first] = replicas;
  first?.kill('SIGSTOP');
  try {
    // Until the keepalive detects it (after 5 s plus a timeout of 2 s), calls to it exceed their deadline.
    await waitFor(async () => {
      await Promise.all(Array.from({ length: 6 }, () => read()));
      return true;
    });
    await Promise.all(Array.from({ length: 20 }, () => read()));
  } finally {
    first?.kill('SIGCONT');
  }
  await untilServedByBoth();
});

test("a request's read that reaches a hanging replica is sent again to another one", async () => {
  await untilServedByBoth();
  const [first, second] = replicas;
  const before = served(second);
  const count = () => client.call('countCartItems', { userId: 1 });
  const context = { requestId: randomUUID(), deadline: Date.now() + 60_000 };
  first?.kill('SIGSTOP');
  try {
    // One after the other, before the keepalive detects it: every second one reaches the first replica.
    for (let each = 0; each < 3; each += 1)
      expect(await requestContext.run(context, count)).toEqual({ count: 0 });
  } finally {
    first?.kill('SIGCONT');
  }
  await waitFor(() => served(second) - before === 3);
});

describe('an address reused by another HTTP server, such as that of a deleted pod', () => {
  let stranger: Http2Server;
  let asked = 0;
  beforeAll(async () => {
    stranger = createServer();
    stranger.on('stream', (stream) => {
      asked += 1;
      stream.respond({ ':status': 404 }, { endStream: true });
    });
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
  });
  afterAll(() => stranger?.close());
  const address = () => `127.0.0.1:${(stranger.address() as AddressInfo).port}`;

  test("a read that reaches another HTTP server at a replica's address is sent again to a replica", async () => {
    const mixed = connect(`ipv4:${replicas[0]?.grpcAddress},${address()}`);
    await waitFor(async () => (await read(mixed)) && asked > 0);
    const before = asked;
    for (let call = 0; call < 20; call += 1) expect(await read(mixed)).toEqual({ count: 0 });
    expect(asked).toBeGreaterThan(before);
    mixed.close();
  });

  test('a service whose only address belongs to another HTTP server is unavailable', async () => {
    const misled = connect(`ipv4:${address()}`);
    await expect(read(misled)).rejects.toMatchObject({ code: 'unavailable' });
    misled.close();
  });
});
