import { type Answer, createHttpClient, form } from '@gradeway/test/httpClient';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';

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
  call(method: string, url: string, options?: { token?: string | null; body?: unknown }): Promise<Answer>;
  /** Uploads an archive. */
  send(archive: Buffer, query?: string): Promise<Answer>;
  dryRun(archive: Buffer, query?: string): Promise<Answer>;
  commit(token: string): Promise<Answer>;
  /** Counts everything that an import may change. */
  counts(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export const administrator = { email: 'admin@school.example', password: 'an administrator of the tests' };

/** Starts auth and courses, the two services that an import changes, as processes on one database. */
export async function startImportSystem(env: Record<string, string> = {}): Promise<ImportSystem> {
  const database = await createTestDatabase();
  const auth = await startService({
    service: 'auth',
    database,
    peers: { authGrpc: '127.0.0.1:1', coursesGrpc: '127.0.0.1:1' },
    tokens: { jwksUrl: 'http://127.0.0.1:1' },
    env: {
      KEY_ENCRYPTION_SECRET: 'a test secret for keys',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      ...env,
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
    const headers: Record<string, string> = Buffer.isBuffer(body)
      ? { 'content-type': 'application/zip' }
      : {};
    const client = createHttpClient({ baseUrl: '', token: token ?? undefined });
    const answer = await client.request(method, url, { body, headers });
    if (answer.status === 500) console.log(courses.log().slice(-3000), auth.log().slice(-2000));
    return answer;
  };
  const path = () => `${courses.url}/api/v3/admin/import`;
  let admin = '';
  const login = await call('POST', `${auth.url}/api/v3/login`, { token: null, body: administrator });
  admin = login.body.access_token;

  const send = (archive: Buffer, query = '') => {
    const file = new Blob([new Uint8Array(archive)]);
    return call('POST', path() + query, { body: form({ file }, 'archive.zip') });
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
