import { randomUUID } from 'node:crypto';
import { CoursesService, type CoursesServiceHandlers } from '@gradeway/proto/courses';
import { AppError } from '@gradeway/shared/errors/appError';
import { listenGrpc } from '@gradeway/shared/grpc/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { type Answer, createHttpClient } from '@gradeway/test/httpClient';
import { openToAll } from '@gradeway/test/openToAll';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';

export const keySecret = 'a key encryption secret for tests';
export const password = 'correct horse battery';
export const administrator = { email: 'admin@school.example', password: 'password of the administrator' };

export interface Account {
  id: number;
  email: string;
  mobile: string;
}

export interface AuthService {
  service: ServiceProcess;
  database: TestDatabase;
  courses: CoursesStub;
  /** An access token of the first administrator. */
  admin: string;
  /** The settings for another process on the same database. */
  env: Record<string, string>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Creates an account with `password`. */
  newUser(properties?: Record<string, unknown>): Promise<Account>;
  logIn(account: { email: string }, options?: LoginOptions): Promise<Answer>;
  /** Logs in and returns the token. */
  tokenOf(account: { email: string }, options?: LoginOptions): Promise<string>;
  rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

interface CallOptions {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

interface LoginOptions {
  password?: string;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Starts auth as a process with its own database and a stub of courses. */
export async function startAuthService(
  env: Record<string, string> | ((database: TestDatabase) => Promise<Record<string, string>>) = {},
): Promise<AuthService> {
  const [database, courses] = await Promise.all([createTestDatabase(), startCourses()]);
  const settings = {
    KEY_ENCRYPTION_SECRET: keySecret,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    // The stub rejects their RPCs immediately. Without a server at the address, an erasure would wait 30 s and delay
    // others.
    HOMEWORK_GRPC: courses.address,
    QUIZ_GRPC: courses.address,
    ...(typeof env === 'function' ? await env(database) : env),
  };
  const service = await startService({
    service: 'auth',
    database,
    env: settings,
    peers: { authGrpc: '127.0.0.1:1', coursesGrpc: courses.address },
    tokens: { jwksUrl: 'http://127.0.0.1:1' },
  });

  const call = (method: string, path: string, options: CallOptions = {}) =>
    createHttpClient({ baseUrl: service.url, token: options.token }).request(method, path, options);
  const logIn = ({ email }: { email: string }, options: LoginOptions = {}) =>
    call('POST', '/api/v3/login', {
      body: { email, password: options.password ?? password, ...options.body },
      headers: options.headers ?? {},
    });
  const tokenOf = async (account: { email: string }, options?: LoginOptions): Promise<string> => {
    const { status, body } = await logIn(account, options);
    if (status !== 200) throw new Error(`login: ${status} ${JSON.stringify(body)}`);
    return body.access_token;
  };
  const admin = await tokenOf(administrator, { password: administrator.password });
  // Creating accounts may require it (`REAUTHENTICATION`).
  await call('POST', '/api/v3/reauthenticate', {
    token: admin,
    body: { password: administrator.password },
  });
  let lastNumber = 0;

  return {
    service,
    database,
    courses,
    admin,
    env: settings,
    call,
    logIn,
    tokenOf,
    async newUser(properties = {}) {
      const name = randomUUID().slice(0, 8);
      lastNumber += 1;
      const { status, body } = await call('POST', '/api/v3/admin/users', {
        token: admin,
        body: {
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: `${name}@school.example`,
          mobile: `+43660${String(lastNumber).padStart(7, '0')}`,
          password,
          role: 'user',
          ...properties,
        },
      });
      if (status !== 201) throw new Error(`new user: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    rows: (sql, ...values) => database.query<Record<string, unknown>>(sql, values),
    async close() {
      await service.stop();
      await Promise.all([courses.close(), database.drop()]);
    },
  };
}

interface CoursesStub {
  address: string;
  /** The result of `CountCartItems` and its delay. */
  cart: { items: number; delayMs: number };
  /** The teachers of courses, for `CheckTeacher`. */
  teachers: Set<number>;
  /** The ids of the people of each course. */
  people: Map<number, number[]>;
  close(): Promise<void>;
}

async function startCourses(): Promise<CoursesStub> {
  const cart = { items: 0, delayMs: 0 };
  const teachers = new Set<number>();
  const people: CoursesStub['people'] = new Map();
  const unused = async () => {
    throw new AppError('internal', 'auth calls no other RPC of courses');
  };
  const server = await listenGrpc<CoursesServiceHandlers>({
    name: 'courses',
    host: '127.0.0.1',
    port: 0,
    secret: serviceSecret,
    health: new Health(),
    log: createLogger('courses stub', 'silent'),
    service: openToAll<CoursesServiceHandlers>({
      definition: CoursesService.service,
      rpcs: {
        async CountCartItems() {
          await new Promise((resolve) => {
            setTimeout(resolve, cart.delayMs);
          });
          return { count: cart.items };
        },
        CheckTeacher: async ({ userId }) => ({ isTeacher: teachers.has(userId) }),
        // One person at a time, so that every list takes several calls.
        ListCoursePeople: async ({ courseId, afterUserId }) => {
          const rest = (people.get(courseId) ?? []).filter((userId) => userId > afterUserId);
          const sorted = rest.toSorted((one, other) => one - other);
          return { userIds: sorted.slice(0, 1), more: sorted.length > 1 };
        },
        CheckCoursePerson: async ({ userId, courseIds }) => ({
          isPerson: courseIds.some((courseId) => people.get(courseId)?.includes(userId)),
        }),
        CheckAccess: unused,
        ListPaidCourses: unused,
        CheckTeaching: unused,
        ListTaughtCourses: unused,
        GetCourses: unused,
        GetClasses: unused,
        ListStudents: unused,
        GetEnrollments: unused,
      },
    }),
  });
  return { address: `127.0.0.1:${server.port}`, cart, teachers, people, close: () => server.close() };
}
