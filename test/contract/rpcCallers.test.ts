import { serviceKeysOf } from '@gradeway/local/serviceKeys';
import { AuthService } from '@gradeway/proto/auth';
import { CoursesService } from '@gradeway/proto/courses';
import { PersonalDataService } from '@gradeway/proto/personal';
import { SubmissionsService } from '@gradeway/proto/submissions';
import { parsePeerKeys } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import type { ProcessName } from '@gradeway/shared/grpc/serviceCredential';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnCalls } from '../manifests/architecture.ts';

/*
 * The dotted arrows in the diagram of ARCHITECTURE.md show which process may call which RPC. The running services must
 * permit exactly these calls.
 */

const callees = ['auth', 'courses', 'homework', 'quiz'] as const;
type Callee = (typeof callees)[number];
const processes: ProcessName[] = ['gateway', ...callees];

// The clients of each process's services. The properties that are used here have the same types in all of them.
const clientsOf = {
  auth: [AuthService],
  courses: [CoursesService, PersonalDataService],
  homework: [SubmissionsService, PersonalDataService],
  quiz: [SubmissionsService, PersonalDataService],
} as unknown as Record<Callee, (typeof AuthService)[]>;

const drawn = drawnCalls();
const rpcs = callees.flatMap((callee) =>
  clientsOf[callee].flatMap((client) =>
    Object.entries(client.service).map(([method, { responseStream }]) => ({
      callee,
      method,
      client,
      isStream: responseStream,
      callers: processes.filter((caller) => drawn.has(`${caller} → ${callee} ${method}`)),
    })),
  ),
);
type Rpc = (typeof rpcs)[number];

// https://grpc.io/docs/guides/status-codes/
const status = { ok: 0, permissionDenied: 7, unauthenticated: 16 };
const installation = 'the secret of this installation';

let database: TestDatabase;
let peers: FakePeers;
let tokens: TokenIssuer;
let services: Record<Callee, ServiceProcess>;
beforeAll(async () => {
  [database, peers, tokens] = await Promise.all([createTestDatabase(), startFakePeers(), startTokenIssuer()]);
  const start = async (service: Callee) => {
    const env = {
      SERVICE_SECRET: '',
      SERVICE_KEYS: serviceKeysOf(service, installation),
      KEY_ENCRYPTION_SECRET: 'a test secret for keys',
      ADMIN_EMAIL: 'admin@school.example',
      ADMIN_PASSWORD: 'a password of the tests',
    };
    return [service, await startService({ service, database, peers, tokens, env })] as const;
  };
  // The other services take the revocations from the real auth, since the fake one has no keys.
  const auth = await start('auth');
  peers = { ...peers, authGrpc: auth[1].grpcAddress };
  services = Object.fromEntries([
    auth,
    ...(await Promise.all((['courses', 'homework', 'quiz'] as const).map(start))),
  ]) as typeof services;
});
afterAll(async () => {
  await Promise.all(Object.values(services ?? {}).map((service) => service.stop()));
  await Promise.all([peers?.close(), tokens?.close()]);
  await database?.drop();
});

/** Calls an RPC and returns the status. @param holder the process whose keys sign the credential */
async function statusOf(rpc: Rpc, caller: ProcessName, { holder = caller, request = {} } = {}) {
  const { callee, method, client: Client, isStream } = rpc;
  const secret = parsePeerKeys(serviceKeysOf(holder, installation));
  const options = { address: services[callee].grpcAddress, caller, callee, secret };
  const name = `${method[0]?.toLowerCase()}${method.slice(1)}`;
  const client = isStream ? createGrpcStreamClient(Client, options) : createGrpcClient(Client, options);
  try {
    if ('read' in client) {
      const limits = { signal: new AbortController().signal, firstMs: 20_000 };
      const messages = client.read(name as 'watchRevocations', { cursor: '', ...request }, limits);
      await messages.next().finally(() => messages.return());
    } else await client.call(name as 'getUsers', request, { timeoutMs: 20_000 });
    return status.ok;
  } catch (error) {
    return (error as { cause?: { code?: number } }).cause?.code;
  } finally {
    client.close();
  }
}

const othersThan = (name: ProcessName) => processes.filter((each) => each !== name);

test('the diagram of ARCHITECTURE.md names every RPC, and no other', () => {
  const named = new Set([...drawn].map((call) => call.replace(/^.* → /, '')));
  expect(named).toEqual(new Set(rpcs.map(({ callee, method }) => `${callee} ${method}`)));
});

test.each(rpcs)(
  '$callee accepts $method from its callers in the diagram and from no other process',
  async (rpc) => {
    for (const caller of othersThan(rpc.callee)) {
      const code = await statusOf(rpc, caller, { request: { kind: caller } });
      const isRefused = code === status.permissionDenied || code === status.unauthenticated;
      if (rpc.callers.includes(caller)) expect(isRefused, `${caller} gets ${code}`).toBe(false);
      else expect(code, `${caller} calls`).toBe(status.permissionDenied);
    }
  },
);

test.each(callees)(
  '%s accepts no credential that another process has signed in the name of a caller',
  async (callee) => {
    for (const rpc of rpcs.filter((each) => each.callee === callee))
      for (const caller of rpc.callers)
        for (const holder of othersThan(callee).filter((each) => each !== caller)) {
          const code = await statusOf(rpc, caller, { holder });
          expect(code, `${holder} poses as ${caller} at ${rpc.method}`).toBe(status.unauthenticated);
        }
  },
);

test('a service gets receipts only for its own submissions', async () => {
  const signReceipt = rpcs.find(({ method }) => method === 'SignReceipt') as Rpc;
  const asQuiz = (kind: string) =>
    statusOf(signReceipt, 'quiz', { request: { kind, submissionId: 1, studentId: 1 } });
  expect(await asQuiz('quiz')).toBe(status.ok);
  expect(await asQuiz('homework')).toBe(status.permissionDenied);
});
