import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';

interface Response {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests check the raw JSON
  body: any;
}

export interface ImportRow {
  file: string;
  line: number;
  sourced_id: string;
  action: string;
  changes: Record<string, [unknown, unknown]>;
  messages: string[];
}

export interface ImportSystem {
  auth: ServiceProcess;
  courses: ServiceProcess;
  database: TestDatabase;
  admin: string;
  call(method: string, url: string, options?: { token?: string | null; body?: unknown }): Promise<Response>;
  /** Uploads an archive. */
  send(archive: Buffer, query?: string): Promise<Response>;
  dryRun(archive: Buffer, query?: string): Promise<Response>;
  commit(token: string): Promise<Response>;
  /** Counts everything that an import may change. */
  counts(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const administrator = { email: 'admin@school.example', password: 'an administrator of the tests' };

/** Starts auth and courses, the two services that an import changes, as processes on one database. */
export async function startImportSystem(env: Record<string, string> = {}): Promise<ImportSystem> {
  const database = await createTestDatabase();
  const auth = await startService({
    service: 'auth',
    database,
    peers: { authGrpc: '127.0.0.1:1', coursesGrpc: '127.0.0.1:1' },
    tokens: { jwksUrl: 'http://127.0.0.1:1' },
    env: {
      KEY_ENCRYPTION_SECRET: 'a secret of the tests for keys',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    },
  });
  const courses = await startService({
    service: 'courses',
    database,
    env,
    peers: { authGrpc: auth.grpcAddress, coursesGrpc: '127.0.0.1:1' },
    tokens: { jwksUrl: `${auth.url}/.well-known/jwks.json` },
  });

  const call: ImportSystem['call'] = async (method, url, { token = admin, body } = {}) => {
    const isJson = body !== undefined && !(body instanceof FormData) && !Buffer.isBuffer(body);
    const type = Buffer.isBuffer(body) ? 'application/zip' : 'application/json';
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': type }),
      },
      ...(body === undefined
        ? {}
        : { body: (isJson ? JSON.stringify(body) : body) as NonNullable<RequestInit['body']> }),
    });
    const text = await response.text();
    if (response.status === 500) console.log(courses.log().slice(-3000), auth.log().slice(-2000));
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const path = () => `${courses.url}/api/v3/admin/import`;
  let admin = '';
  const login = await call('POST', `${auth.url}/api/v3/login`, { token: null, body: administrator });
  admin = login.body.access_token;

  const send = (archive: Buffer, query = '') => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(archive)]), 'archive.zip');
    return call('POST', path() + query, { body: form });
  };
  return {
    auth,
    courses,
    database,
    admin,
    call,
    send,
    dryRun: (archive, query = '') => send(archive, `?dry_run=1${query}`),
    commit: (token) => call('POST', path(), { body: { token } }),
    async counts() {
      const [row] = await database.query<Record<string, number>>(`
        SELECT (SELECT count(*)::int FROM auth.users WHERE deleted_at IS NULL) AS users,
          (SELECT count(*)::int FROM auth.users WHERE reserved_by IS NOT NULL) AS reserved,
          (SELECT count(*)::int FROM auth.user_sources) AS "userSources",
          (SELECT count(*)::int FROM courses.courses WHERE deleted_at IS NULL) AS courses,
          (SELECT total FROM courses.course_total) AS "courseTotal",
          (SELECT count(*)::int FROM courses.classes WHERE deleted_at IS NULL) AS classes,
          (SELECT count(*)::int FROM courses.roster WHERE is_enrolled) AS enrollments,
          (SELECT coalesce(sum(student_count), 0)::int FROM courses.courses) AS "studentCount"`);
      return row ?? {};
    },
    async close() {
      await Promise.all([courses.stop(), auth.stop()]);
      await database.drop();
    },
  };
}
