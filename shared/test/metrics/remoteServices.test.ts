import { AuthService } from '@gradeway/proto/auth';
import { CoursesService } from '@gradeway/proto/courses';
import { createRemoteKeySet } from '@gradeway/shared/auth/jwks';
import { followRevocations } from '@gradeway/shared/auth/revocations';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { createLogger } from '@gradeway/shared/process/logger';
import { type FakePeers, serviceSecret as secret, startFakePeers } from '@gradeway/test/fakePeers';
import { scrapeSelf } from '@gradeway/test/metrics';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
let peers: FakePeers;
beforeAll(async () => {
  peers = await startFakePeers();
});
afterAll(() => peers.close());

const clientOf = (coursesGrpc: string, key = secret) =>
  createGrpcClient(CoursesService, {
    address: coursesGrpc,
    caller: 'quiz',
    callee: 'courses',
    secret: key,
  });

test('gRPC calls are counted by method and status on both sides', async () => {
  const courses = clientOf(peers.coursesGrpc);
  await courses.call('getCourses', { courseIds: [1] });
  const forger = clientOf(peers.coursesGrpc, 'another secret, also long enough');
  await forger.call('getCourses', { courseIds: [1] }).catch(() => {});
  const now = await scrapeSelf();
  for (const rpc_response_status_code of ['OK', 'UNAUTHENTICATED']) {
    const labels = { rpc_method: 'gradeway.courses.v1.CoursesService/GetCourses', rpc_response_status_code };
    expect(now.value('rpc_client_call_duration_seconds_count', labels)).toBe(1);
    expect(now.value('rpc_server_call_duration_seconds_count', labels)).toBe(1);
  }
  courses.close();
  forger.close();
});

test('the circuit breaker of a service exports its state and refused calls', async () => {
  const unreachable = clientOf('127.0.0.1:1');
  const state = async (name: string) =>
    (await scrapeSelf()).value('gradeway_circuit_breaker_state', { callee: 'courses', state: name });
  expect([await state('closed'), await state('open')]).toEqual([1, 0]);
  const call = () => unreachable.call('getCourses', { courseIds: [1] }, { timeoutMs: 50 }).catch(() => {});
  await Promise.all(Array.from({ length: 12 }, call));
  expect([await state('closed'), await state('open')]).toEqual([0, 1]);
  await call();
  const refused = (await scrapeSelf()).value('gradeway_circuit_breaker_refusals_total', {
    callee: 'courses',
  });
  expect(refused).toBeGreaterThanOrEqual(1);
  unreachable.close();
});

test('the age of the revocation list increases only while auth is unreachable', async () => {
  const auth = createGrpcClient(AuthService, {
    address: peers.authGrpc,
    caller: 'quiz',
    callee: 'auth',
    secret,
  });
  const age = async () => (await scrapeSelf()).value('gradeway_revocations_age_seconds') ?? -1;
  const revocations = followRevocations({ auth, log, intervalMs: 50 });
  await waitFor(() => revocations.loaded());
  await waitFor(async () => (await age()) < 0.5);
  auth.close();
  await waitFor(async () => (await age()) > 0.8);
  await revocations.close();
  expect(await age()).toBe(-1);
});

test('the age of the token keys is exported', async () => {
  const startedAt = Date.now();
  const tokens = await startTokenIssuer();
  const keys = createRemoteKeySet({ url: tokens.jwksUrl, log });
  await waitFor(() => keys.loaded());
  const age = (await scrapeSelf()).value('gradeway_token_keys_age_seconds');
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThanOrEqual((Date.now() - startedAt) / 1_000);
  await keys.close();
  await tokens.close();
});
