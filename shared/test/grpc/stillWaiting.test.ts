import { CoursesService, type CoursesServiceClient } from '@gradeway/proto/courses';
import { type DatabaseProxy, startDatabaseProxy } from '@gradeway/test/databaseProxy';
import { type FakePeers, serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGrpcClient, type GrpcClient } from '../../src/grpc/client.ts';
import { requestContext } from '../../src/process/requestContext.ts';

let database: TestDatabase;
let postgres: DatabaseProxy;
let peers: FakePeers;
let tokens: TokenIssuer;
let courses: ServiceProcess;
let client: GrpcClient<CoursesServiceClient>;

beforeAll(async () => {
  [database, peers, tokens] = await Promise.all([createTestDatabase(), startFakePeers(), startTokenIssuer()]);
  postgres = await startDatabaseProxy(database.url('courses'));
  const env = { DATABASE_URL: postgres.url, DATABASE_WAIT: '20s' };
  courses = await startService({ service: 'courses', database, peers, tokens, env });
  const address = courses.grpcAddress;
  client = createGrpcClient(CoursesService, {
    address,
    caller: 'quiz',
    callee: 'courses',
    secret: serviceSecret,
  });
});
afterAll(async () => {
  client?.close();
  await postgres?.restore();
  await courses?.stop();
  postgres?.close();
  await Promise.all([peers?.close(), tokens?.close(), database?.drop()]);
});
beforeEach(() => postgres.restore());

const read = () => client.call('checkAccess', { userId: 1, courseId: 1, classId: 1 });
const inRequest = <T>(work: () => Promise<T>): Promise<T> =>
  requestContext.run({ requestId: crypto.randomUUID(), deadline: Date.now() + 60_000 }, work);

test("a request's read continues while the service waits for its database, beyond the timeout of one call", async () => {
  postgres.refuse();
  const startedAt = Date.now();
  // This delay is deliberate: it is longer than the timeout of a call, 2 s.
  const restored = setTimeout(() => void postgres.restore(), 5_000);
  expect(await inRequest(read)).toMatchObject({ courseExists: false });
  expect(Date.now() - startedAt).toBeGreaterThan(4_000);
  clearTimeout(restored);
});

test('a background read fails as unavailable after the timeout of one call', async () => {
  postgres.refuse();
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
});
