import { serviceKeysOf } from '@gradeway/local/serviceKeys';
import { AuthService } from '@gradeway/proto/auth';
import { CoursesService } from '@gradeway/proto/courses';
import { SubmissionsService } from '@gradeway/proto/submissions';
import { createServiceCredential, type ProcessName } from '@gradeway/shared/grpc/serviceCredential';
import { parsePeerKeys } from '@gradeway/shared/grpc/serviceKeys';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { Client, credentials, Metadata, type ServiceDefinition, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const callees = ['auth', 'courses', 'homework', 'quiz'] as const;
type Callee = (typeof callees)[number];

// Who may call what. A new RPC, or another caller, is added here and in the service's grpc/server.ts.
const permitted: Record<Callee, Record<string, ProcessName[]>> = {
  auth: {
    GetUsers: ['courses', 'homework', 'quiz'],
    ListRevocations: ['gateway', 'courses', 'homework', 'quiz'],
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
    CountCartItems: ['auth'],
    GetCourses: ['homework', 'quiz'],
    GetClasses: ['homework'],
  },
  homework: { ExportSubmissions: ['courses'] },
  quiz: { ExportSubmissions: ['courses'] },
};
const definitions: Record<Callee, ServiceDefinition> = {
  auth: AuthService.service,
  courses: CoursesService.service,
  homework: SubmissionsService.service,
  quiz: SubmissionsService.service,
};
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

/** A credential of `caller`, signed with the keys that `holder` has. */
function credentialOf(caller: ProcessName, callee: Callee, holder = caller): string {
  return createServiceCredential(parsePeerKeys(serviceKeysOf(holder, installation)), caller, callee)();
}

/** Calls an RPC and returns the status. */
function statusOf(callee: Callee, method: string, credential: string, request = {}): Promise<status> {
  const definition = definitions[callee][method];
  if (!definition) throw new Error(`${callee} has no RPC ${method}`);
  const { path, requestSerialize, responseDeserialize } = definition;
  const client = new Client(services[callee].grpcAddress, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${credential}`);
  const options = { deadline: Date.now() + 20_000 };
  const rest = [requestSerialize, responseDeserialize, request, metadata, options] as const;
  return new Promise<status>((resolve) => {
    if (!definition.responseStream) {
      client.makeUnaryRequest(path, ...rest, (error) => resolve(error ? error.code : status.OK));
      return;
    }
    const call = client.makeServerStreamRequest(path, ...rest);
    call.on('data', () => {});
    call.on('error', () => {});
    call.on('status', ({ code }) => resolve(code));
  }).finally(() => client.close());
}

describe.each(callees)('%s', (callee) => {
  const callers = processes.filter((name) => name !== callee);

  test('names the callers of each of its RPCs', () => {
    expect(Object.keys(permitted[callee]).toSorted()).toEqual(Object.keys(definitions[callee]).toSorted());
  });

  test.each(Object.keys(permitted[callee]))('%s answers its callers and no other process', async (method) => {
    for (const caller of callers) {
      const code = await statusOf(callee, method, credentialOf(caller, callee), { kind: caller });
      const about = `${caller} calls ${method}`;
      if (permitted[callee][method]?.includes(caller)) {
        expect(code, about).not.toBe(status.PERMISSION_DENIED);
        expect(code, about).not.toBe(status.UNAUTHENTICATED);
      } else expect(code, about).toBe(status.PERMISSION_DENIED);
    }
  });

  test('accepts no credential that another process has signed in the name of a caller', async () => {
    for (const [method, names] of Object.entries(permitted[callee]))
      for (const caller of names)
        for (const holder of callers.filter((each) => each !== caller))
          expect(
            await statusOf(callee, method, credentialOf(caller, callee, holder)),
            `${holder} poses as ${caller} at ${method}`,
          ).toBe(status.UNAUTHENTICATED);
  });
});

test('a service gets receipts only for its own submissions', async () => {
  const asQuiz = (kind: string) =>
    statusOf('auth', 'SignReceipt', credentialOf('quiz', 'auth'), { kind, submissionId: 1, studentId: 1 });
  expect(await asQuiz('quiz')).toBe(status.OK);
  expect(await asQuiz('homework')).toBe(status.PERMISSION_DENIED);
});
