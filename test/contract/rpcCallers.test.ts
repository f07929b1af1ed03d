import { serviceKeysOf } from '@gradeway/local/serviceKeys';
import { AuthService } from '@gradeway/proto/auth';
import { CoursesService } from '@gradeway/proto/courses';
import { SubmissionsService } from '@gradeway/proto/submissions';
import { parsePeerKeys } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import type { ProcessName } from '@gradeway/shared/grpc/serviceCredential';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const callees = ['auth', 'courses', 'homework', 'quiz'] as const;
type Callee = (typeof callees)[number];

// Who may call what. A new RPC, or another caller, is added here and where the service registers its RPCs.
const permitted: Record<Callee, Record<string, ProcessName[]>> = {
  auth: {
    GetUsers: ['courses', 'homework', 'quiz'],
    ListRevocations: ['gateway', 'courses', 'homework', 'quiz'],
    WatchRevocations: ['gateway', 'courses', 'homework', 'quiz'],
    CheckReauthentication: ['courses'],
    SignReceipt: ['homework', 'quiz'],
    PlanImport: ['courses'],
    FindImportedUsers: ['courses'],
    ReserveImport: ['courses'],
    ReleaseImport: ['courses'],
    CompleteImport: ['courses'],
  },
  courses: {
    CheckAccess: ['homework', 'quiz'],
    ListPaidCourses: ['homework', 'quiz'],
    CheckTeaching: ['homework', 'quiz'],
    ListTaughtCourses: ['homework', 'quiz'],
    CountCartItems: ['auth'],
    GetCourses: ['homework', 'quiz'],
    GetClasses: ['homework'],
  },
  homework: { ExportSubmissions: ['courses'], CountSubmissions: ['courses'] },
  quiz: { ExportSubmissions: ['courses'], CountSubmissions: ['courses'] },
};
const definitions = {
  auth: AuthService,
  courses: CoursesService,
  homework: SubmissionsService,
  quiz: SubmissionsService,
};
// https://grpc.io/docs/guides/status-codes/
const status = { ok: 0, permissionDenied: 7, unauthenticated: 16 };
const processes: ProcessName[] = ['gateway', ...callees];
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
      KEY_ENCRYPTION_SECRET: 'a secret of the tests for keys',
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

interface Caller {
  caller: ProcessName;
  /** The process whose keys sign the credential: the caller itself, or one that poses as it. */
  holder?: ProcessName;
}

/** Calls an RPC and returns the status. */
async function statusOf(callee: Callee, method: string, { caller, holder = caller }: Caller, request = {}) {
  const secret = parsePeerKeys(serviceKeysOf(holder, installation));
  const options = { address: services[callee].grpcAddress, caller, callee, secret };
  try {
    if (method === 'WatchRevocations') {
      const client = createGrpcStreamClient(AuthService, options);
      const { signal } = new AbortController();
      const pages = client.read('watchRevocations', { cursor: '' }, { signal, firstMs: 20_000 });
      await pages.next().finally(() => pages.return().finally(() => client.close()));
    } else if (method === 'ExportSubmissions') {
      const client = createGrpcStreamClient(SubmissionsService, options);
      const { signal } = new AbortController();
      const parts = client.read('exportSubmissions', { courseId: 1 }, { signal, firstMs: 20_000 });
      await parts.next().finally(() => client.close());
    } else {
      const client = createGrpcClient(definitions[callee] as typeof AuthService, options);
      const name = `${method[0]?.toLowerCase()}${method.slice(1)}` as 'getUsers';
      await client.call(name, request, { timeoutMs: 20_000 }).finally(() => client.close());
    }
    return status.ok;
  } catch (error) {
    return (error as { cause?: { code?: number } }).cause?.code;
  }
}

describe.each(callees)('%s', (callee) => {
  const callers = processes.filter((name) => name !== callee);

  test('names the callers of each of its RPCs', () => {
    expect(Object.keys(permitted[callee]).toSorted()).toEqual(
      Object.keys(definitions[callee].service).toSorted(),
    );
  });

  test.each(Object.keys(permitted[callee]))('%s answers its callers and no other process', async (method) => {
    for (const caller of callers) {
      const code = await statusOf(callee, method, { caller }, { kind: caller });
      const about = `${caller} calls ${method}`;
      if (permitted[callee][method]?.includes(caller)) {
        expect(code, about).not.toBe(status.permissionDenied);
        expect(code, about).not.toBe(status.unauthenticated);
      } else expect(code, about).toBe(status.permissionDenied);
    }
  });

  test('accepts no credential that another process has signed in the name of a caller', async () => {
    for (const [method, names] of Object.entries(permitted[callee]))
      for (const caller of names)
        for (const holder of callers.filter((each) => each !== caller))
          expect(
            await statusOf(callee, method, { caller, holder }),
            `${holder} poses as ${caller} at ${method}`,
          ).toBe(status.unauthenticated);
  });
});

test('a service gets receipts only for its own submissions', async () => {
  const asQuiz = (kind: string) =>
    statusOf('auth', 'SignReceipt', { caller: 'quiz' }, { kind, submissionId: 1, studentId: 1 });
  expect(await asQuiz('quiz')).toBe(status.ok);
  expect(await asQuiz('homework')).toBe(status.permissionDenied);
});
