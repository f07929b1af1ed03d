import { AuthService as AuthRpcs, type AuthServiceClient } from '@gradeway/proto/auth';
import { followRevocations, type RevocationList } from '@gradeway/shared/auth/revocations';
import { createGrpcClient, type GrpcClient } from '@gradeway/shared/grpc/client';
import { createLogger } from '@gradeway/shared/process/logger';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

const dayMs = 86_400_000;

let auth: AuthService;
let rpcs: GrpcClient<AuthServiceClient>;
let followed: RevocationList | undefined;
beforeAll(async () => {
  auth = await startAuthService();
  rpcs = createGrpcClient(AuthRpcs, {
    address: auth.service.grpcAddress,
    secret: serviceSecret,
    caller: 'courses',
    callee: 'auth',
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await followed?.close();
});
afterAll(async () => {
  rpcs.close();
  await auth.close();
});

/** Sets the wall clock of this process, which follows the list; it keeps running. */
function jump(aheadMs: number): void {
  vi.restoreAllMocks();
  const offset = Date.now() - performance.now() + aheadMs;
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(performance.now() + offset));
}

const follow = () =>
  followRevocations({
    auth: rpcs,
    log: createLogger('test', 'silent'),
    intervalMs: 50,
    deleteEveryMs: 20,
  });

const isRevoked = (list: RevocationList, sessionId: number) => list.isRevoked({ sessionId, tokenId: '' });
const revoke = (sessionId: number, seconds: number) =>
  auth.rows(
    'INSERT INTO auth.revocations (session_id, expires_at) VALUES ($1, now() + make_interval(secs => $2))',
    sessionId,
    seconds,
  );

test('a session stays revoked when the clock jumps forward and back', async () => {
  await revoke(1, 3_600);
  const list = follow();
  followed = list;
  await waitFor(() => isRevoked(list, 1));
  jump(2 * dayMs);
  // Received after the jump and expired by both clocks. Once it is gone, expired entries have been deleted.
  await revoke(2, 3);
  await waitFor(() => isRevoked(list, 2));
  await waitFor(() => !isRevoked(list, 2));
  expect(isRevoked(list, 1)).toBe(true);
  jump(0);
  expect(isRevoked(list, 1)).toBe(true);
});

test('a list that was loaded while the clock was ahead is loaded again when it jumps back', async () => {
  await revoke(3, 3_600);
  jump(2 * dayMs);
  const list = follow();
  followed = list;
  await waitFor(() => list.loaded());
  await waitFor(() => !isRevoked(list, 3));
  jump(0);
  await waitFor(() => isRevoked(list, 3));
});
