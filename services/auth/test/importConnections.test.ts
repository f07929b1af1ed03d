import { randomUUID } from 'node:crypto';
import { AuthService as AuthRpcs, type AuthServiceClient } from '@gradeway/proto/auth';
import { createGrpcClient, type GrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
let rpcs: GrpcClient<AuthServiceClient>;
beforeAll(async () => {
  auth = await startAuthService({ DATABASE_POOL: '1' });
  rpcs = createGrpcClient(AuthRpcs, {
    address: auth.service.grpcAddress,
    secret: serviceSecret,
    caller: 'courses',
    callee: 'auth',
  });
});
afterAll(async () => {
  rpcs.close();
  await auth.close();
});

test('statements of an import have a longer timeout and separate connections', async () => {
  const importId = randomUUID();
  const email = `${importId}@school.example`;
  const user = { line: 1, sourcedId: importId, firstName: 'Ada', lastName: 'Lovelace', email, role: 'user' };
  const expiresAt = { seconds: Math.ceil(Date.now() / 1000) + 600, nanos: 0 };
  await rpcs.call('planImport', { importId, expiresAt, users: [user] }, { timeoutMs: 20_000 });
  // Longer than the statement limit of other requests.
  await auth.rows(`
    CREATE FUNCTION auth.pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(7); RETURN NULL; END $$`);
  await auth.rows(
    'CREATE TRIGGER pause AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION auth.pause()',
  );
  let isDone = false;
  const reserving = rpcs.call('reserveImport', { importId }, { timeoutMs: 28_000 }).finally(() => {
    isDone = true;
  });
  await waitFor(
    async () =>
      (
        await auth.rows(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
        )
      ).length > 0,
  );
  expect((await auth.call('GET', '/api/v3/me', { token: auth.admin })).status).toBe(200);
  expect(isDone).toBe(false);
  expect(await reserving).toMatchObject({ isReserved: true });
});
