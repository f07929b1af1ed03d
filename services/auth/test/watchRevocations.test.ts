import { AuthService as AuthRpcs, type AuthServiceClient } from '@gradeway/proto/auth';
import { followRevocations, type RevocationList } from '@gradeway/shared/auth/revocations';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createGrpcClient, type GrpcClient } from '@gradeway/shared/grpc/client';
import { createGrpcStreamClient, type GrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { createLogger } from '@gradeway/shared/process/logger';
import { serviceSecret as secret } from '@gradeway/test/fakePeers';
import { scrape, scrapeSelf } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import jwt from 'jsonwebtoken';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { RevocationRepository } from '../src/data/revocationRepository.ts';
import { type FeedPage, openRevocationFeed } from '../src/domain/revocationFeed.ts';
import { type AuthService, startAuthService } from './authService.ts';

const log = createLogger('test', 'silent');
let auth: AuthService;
let rpcs: GrpcClient<AuthServiceClient>;
let stream: GrpcStreamClient<AuthServiceClient>;
let list: RevocationList;
beforeAll(async () => {
  auth = await startAuthService();
  const server = { address: auth.service.grpcAddress, caller: 'courses', callee: 'auth', secret } as const;
  rpcs = createGrpcClient(AuthRpcs, server);
  stream = createGrpcStreamClient(AuthRpcs, server);
});
beforeEach(async () => {
  list = followRevocations({ auth: rpcs, stream, log });
  await waitFor(() => list.loaded());
});
afterEach(() => list.close());
afterAll(async () => {
  stream.close();
  rpcs.close();
  await auth.close();
});

async function logOutSomebody(): Promise<() => boolean> {
  const token = await auth.tokenOf(await auth.newUser());
  const { sid, jti } = jwt.decode(token) as jwt.JwtPayload;
  await auth.call('POST', '/api/v3/logout', { token });
  return () => list.isRevoked({ sessionId: sid, tokenId: String(jti) });
}
const calls = async (method: string) =>
  (await scrapeSelf()).value('rpc_client_call_duration_seconds_count', {
    rpc_method: `gradeway.auth.v1.AuthService/${method}`,
    rpc_response_status_code: 'OK',
  }) ?? 0;
const age = async () => (await scrapeSelf()).value('gradeway_revocations_age_seconds') ?? -1;

/** Waits until the list becomes newer without a call, three times in a row within one interval. */
async function untilStreamed(): Promise<void> {
  await waitFor(async () => {
    const before = await calls('ListRevocations');
    for (let round = 0; round < 3; round += 1) {
      await waitFor(async () => (await age()) > 0.5);
      await waitFor(async () => (await age()) < 0.4);
    }
    return (await calls('ListRevocations')) === before;
  }, 60_000);
}

test('revocations arrive through the stream, and the list is not polled', async () => {
  await untilStreamed();
  const before = await calls('ListRevocations');
  await waitFor(await logOutSomebody());
  await waitFor(await logOutSomebody());
  expect(await calls('ListRevocations')).toBe(before);
});

test('while auth hangs, the list becomes stale, and nothing is missing afterwards', async () => {
  await untilStreamed();
  const isRevoked = await logOutSomebody();
  auth.service.kill('SIGSTOP');
  await waitFor(async () => (await age()) > 3);
  auth.service.kill('SIGCONT');
  await waitFor(isRevoked);
  await waitFor(async () => (await age()) < 1);
  await untilStreamed();
});

test('after auth restarts, the stream is open again and nothing is missing', async () => {
  await untilStreamed();
  auth.service.kill('SIGKILL');
  await auth.rows(
    "INSERT INTO auth.revocations (session_id, expires_at) VALUES (900001, now() + interval '1 hour')",
  );
  await auth.service.start();
  await waitFor(() => list.isRevoked({ sessionId: 900_001, tokenId: '' }));
  await untilStreamed();
  await waitFor(await logOutSomebody());
});

test('a stream does not delay the shutdown of auth', async () => {
  await untilStreamed();
  const ended = await calls('WatchRevocations');
  const stopped = auth.service.log().length;
  auth.service.kill('SIGTERM');
  await waitFor(() => auth.service.log().slice(stopped).includes('"stopped"'));
  expect(auth.service.log().slice(stopped)).not.toContain('shutdown timed out');
  // The server ended the call; an interrupted call would have a different status.
  expect(await calls('WatchRevocations')).toBe(ended + 1);
  await auth.service.start();
});

test('a process that stops ends its stream at auth', async () => {
  const served = async () => {
    const labels = { rpc_method: 'gradeway.auth.v1.AuthService/WatchRevocations' };
    const metrics = await scrape(auth.service.adminUrl);
    return metrics.value('rpc_server_call_duration_seconds_count', {
      ...labels,
      rpc_response_status_code: 'CANCELLED',
    });
  };
  await untilStreamed();
  const before = (await served()) ?? 0;
  await list.close();
  await waitFor(async () => (await served()) === before + 1);
});

test('many watchers cost one query per round, and a late commit reaches each of them', async () => {
  const database = openDatabase({ url: auth.database.url('auth'), name: 'feed', pool: 4 });
  const repository = new RevocationRepository(database);
  const cursors: string[] = [];
  const page = (cursor: string) => {
    cursors.push(cursor);
    return repository.page(cursor);
  };
  const revocations = { currentCursor: () => repository.currentCursor(), page };
  const feed = await openRevocationFeed({ revocations, log, intervalMs: 20 });
  const late = await database.transaction();
  await database.query(
    "INSERT INTO revocations (session_id, expires_at) VALUES (900002, now() + interval '1 hour')",
    { transaction: late },
  );
  const start = await repository.currentCursor();
  const watchers = Array.from({ length: 20 }, () => feed.watch(start, new AbortController().signal));
  const next = async () => {
    const pages = await Promise.all(watchers.map((watcher) => watcher.next()));
    return pages.map(({ value }) => value as FeedPage);
  };
  const has = (pages: FeedPage[]) =>
    pages.map(({ page: { revocations: found } }) => found.some(({ sessionId }) => sessionId === 900_002));
  expect(has(await next())).not.toContain(true);
  await logOutSomebody();
  expect(has(await next())).not.toContain(true);
  const readings = cursors.length;
  for (let round = 0; round < 5; round += 1) expect(has(await next())).not.toContain(true);
  // Some rounds may have ended before their pages were requested.
  expect(cursors.length).toBeLessThan(readings + 20);
  await late.commit();
  const receives = async (watcher: (typeof watchers)[number]) => {
    for await (const each of watcher) if (has([each])[0]) return true;
    return false;
  };
  expect(await Promise.all(watchers.map(receives))).not.toContain(false);
  await feed.close();
  expect(await feed.watch(start, new AbortController().signal).next()).toEqual({
    done: true,
    value: undefined,
  });
  await database.close();
});
