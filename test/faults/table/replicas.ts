import { type S3Server, startS3Server } from '@gradeway/test/s3Server';
import { type ServiceBalancer, startBalancer } from '@gradeway/test/serviceBalancer';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { type SystemUnderTest, sumsOf } from './system.ts';

export const names = ['auth', 'courses', 'homework', 'quiz', 'gateway'] as const;
export type Name = (typeof names)[number];

export interface ReplicatedSystem extends SystemUnderTest {
  database: TestDatabase;
  replicas(name: Name): ServiceProcess[];
  /** Kills a replica with SIGKILL. The balancer notices by its probe. */
  killOne(name: Name): void;
  /** Like Kubernetes with maxSurge 1 and maxUnavailable 0. The new replicas run the checkout at `root` ({@link startService}). */
  replaceAll(name: Name, root?: string): Promise<void>;
  close(): Promise<void>;
}

const [adminEmail, adminPassword] = ['admin@test.gradeway.local', 'a password of the tests'];

interface Options {
  /** Where the first replicas start ({@link startService}), and the database that they use. */
  root?: string;
  database?: TestDatabase;
  /** Settings of a process, in addition to the usual ones. */
  envOf?(name: Name): Record<string, string>;
}

/** Starts two replicas of every service and of the gateway behind balancers, with one database and buckets. */
export async function startReplicatedSystem({
  root: firstRoot,
  database: given,
  envOf = () => ({}),
}: Options = {}): Promise<ReplicatedSystem> {
  const database = given ?? (await createTestDatabase());
  const stores = { homework: await startS3Server(), quiz: await startS3Server() };
  const balancers = {} as Record<Name, ServiceBalancer>;
  const running = {} as Record<Name, ServiceProcess[]>;
  for (const name of names) {
    balancers[name] = await startBalancer();
    running[name] = [];
  }
  const startReplica = async (name: Name, root = firstRoot) => {
    const replica = await startOne(name, { database, balancers, stores, env: envOf(name), root });
    running[name].push(replica);
    balancers[name].replicas.add(replica);
  };
  const remove = (name: Name, replica: ServiceProcess) => {
    balancers[name].replicas.delete(replica);
    running[name] = running[name].filter((each) => each !== replica);
  };
  for (const name of names) await Promise.all([startReplica(name), startReplica(name)]);
  // The balancer finds out by its next probe.
  await waitFor(async () => (await fetch(`${balancers.gateway.url}/readyz`)).ok);

  return {
    baseUrl: balancers.gateway.url,
    adminEmail,
    adminPassword,
    database,
    query: database.query,
    storedKeys: (kind) => stores[kind].keys(),
    storedSums: (kind, keys) => sumsOf(keys, (key) => stores[kind].read(key)),
    replicas: (name) => running[name],
    killOne(name) {
      running[name][0]?.kill('SIGKILL');
    },
    async replaceAll(name, root) {
      for (const old of running[name]) {
        await startReplica(name, root);
        await old.stop();
        remove(name, old);
      }
    },
    async close() {
      for (const name of names.toReversed())
        await Promise.all(running[name].map((replica) => replica.stop()));
      await Promise.all(Object.values(balancers).map((balancer) => balancer.close()));
      await Promise.all(Object.values(stores).map((store) => store.remove()));
      await database.drop();
    },
  };
}

interface Surroundings {
  database: TestDatabase;
  balancers: Record<Name, ServiceBalancer>;
  stores: Record<'homework' | 'quiz', S3Server>;
  env: Record<string, string>;
  root: string | undefined;
}

function startOne(
  name: Name,
  { database, balancers, stores, env, root }: Surroundings,
): Promise<ServiceProcess> {
  const { auth, courses, homework, quiz } = balancers;
  const own: Record<Name, Record<string, string>> = {
    auth: {
      KEY_ENCRYPTION_SECRET: 'a test secret for signing keys',
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: adminPassword,
    },
    courses: { HOMEWORK_GRPC: homework.grpcAddress, QUIZ_GRPC: quiz.grpcAddress },
    homework: stores.homework.env,
    quiz: stores.quiz.env,
    gateway: {
      AUTH_URL: auth.url,
      COURSES_URL: courses.url,
      HOMEWORK_URL: homework.url,
      QUIZ_URL: quiz.url,
      RATE_LIMIT_PER_MINUTE: '0',
    },
  };
  return startService({
    service: name,
    database,
    peers: { authGrpc: auth.grpcAddress, coursesGrpc: courses.grpcAddress },
    tokens: { jwksUrl: `${auth.url}/.well-known/jwks.json` },
    env: { ...own[name], SHUTDOWN_DELAY: '2500ms', LOGIN_LIMIT_PER_ADDRESS: '0', ...env },
    root,
  });
}
