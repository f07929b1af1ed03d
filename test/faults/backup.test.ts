import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { Fixtures, type Student } from '@gradeway/test/fixtures';
import { holdTable } from '@gradeway/test/holdTable';
import { createHttpClient, type HttpClient, pdf } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { runProgram } from '@gradeway/test/runProgram';
import { waitFor } from '@gradeway/test/waitFor';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const programAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const cli = programAt('local/dist/backupCli.js');

let system: LocalSystem;
let fixtures: Fixtures;
let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'gradeway-backup-'));
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0' });
  fixtures = new Fixtures(system);
});
afterAll(async () => {
  await system?.remove();
  await rm(temporary, { recursive: true, force: true });
});

const backups = "SELECT pid FROM pg_stat_activity WHERE application_name = 'gradeway backup'";

const done = { code: 0, output: expect.any(String) };

const newDirectory = () => mkdtemp(join(temporary, 'backup-'));

/** Sessions end with a restore. */
async function logInAgain(restored: Fixtures, { email, password }: Student): Promise<HttpClient> {
  const { status, body } = await restored.logIn(email, password);
  expect(status).toBe(200);
  return restored.callAs(body.access_token);
}

/** Runs the command on an installation; `output` is its standard output. */
const run = (
  command: 'backup' | 'restore',
  directory: string,
  dataDirectory: string,
  env: NodeJS.ProcessEnv = {},
) => runProgram([cli, command, directory], { DATA_DIR: dataDirectory, ...env });

/** With the superuser, in the database of a running system. */
async function databaseOf(of: LocalSystem): Promise<string> {
  const { postgres: password } = JSON.parse(await readFile(join(of.directory, 'secrets.json'), 'utf8'));
  const { port } = await of.process('postgres');
  return superuserUrl({ port, password }, 'gradeway');
}

async function query(of: LocalSystem, sql: string, values: unknown[] = []) {
  const client = new Client(await databaseOf(of));
  await client.connect();
  return client.query(sql, values).finally(() => client.end());
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const filesIn = async (directory: string, service: string): Promise<string[]> =>
  (await readdir(join(directory, 'files', service), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

// Each starts a second system.
describe('backup and restore', { timeout: 300_000 }, () => {
  test('a backup under load restores every account, receipt, grade and file that was there when it began', async () => {
    const scene = await fixtures.newScene();
    const file = await pdf('answers.pdf', { lines: ['restored'] });
    const submitted = await fixtures.submitQuiz(scene, { file });
    const receipt = submitted.headers.get('submission-receipt');
    const admin = await fixtures.asAdmin();
    const [{ id }] = await fixtures.quizSubmissions(scene.quizId);
    await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade: 7, total_grade: 10 });
    await fixtures.submitHomework(scene);
    await fixtures.waitForGrades(scene.student, 1);
    // The entry of another service arrives as an event.
    await waitFor(
      async () => (await admin.get('/api/v3/admin/audit?action=quiz.graded')).body.data.length > 0,
    );

    const load = startUploads();
    const directory = await newDirectory();
    const backup = await run('backup', directory, system.directory);
    const uploads = await load.stop();
    expect(backup).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Backed up \d+ rows and \d+ files/),
    });
    expect(uploads).toBeGreaterThan(0);
    await system.stop();

    const dataDirectory = join(await newDirectory(), 'data');
    expect(await run('restore', directory, dataDirectory)).toEqual(done);
    const restored = await startLocalSystem({ DATA_DIR: dataDirectory, RATE_LIMIT_PER_MINUTE: '0' });
    try {
      const again = new Fixtures(restored);
      const student = await logInAgain(again, scene.student);
      // Signed with a key that no longer signs.
      expect((await student.post('/api/v3/receipts/verify', { receipt })).status).toBe(200);
      const { body: grades } = await student.get('/api/v3/grades');
      expect(grades.data).toEqual([expect.objectContaining({ kind: 'quiz', grade: 7 })]);

      const { body: audit } = await (await again.asAdmin()).get('/api/v3/admin/audit?action=quiz.graded');
      expect(audit.data).toContainEqual(
        expect.objectContaining({ object: { type: 'quiz_submission', id }, changes: expect.anything() }),
      );

      const [submission] = await again.quizSubmissions(scene.quizId);
      expect(submission.id).toBe(id);
      const bytes = new Uint8Array(await (await fetch(submission.pdf_answer_url)).arrayBuffer());
      expect(sha256(bytes)).toBe(sha256(new Uint8Array(await file.arrayBuffer())));
      // New records get new ids, and events reach the gradebook.
      const next = await again.newScene();
      expect((await again.submitQuiz(next)).status).toBe(200);
      const [{ id: newId }] = await again.quizSubmissions(next.quizId);
      expect(newId).toBeGreaterThan(id);
      const newAdmin = await again.asAdmin();
      await newAdmin.post(`/api/v3/quiz/pdf-quizzes/grade/${newId}`, { grade: 5, total_grade: 10 });
      await again.waitForGrades(next.student, 1);
    } finally {
      await restored.remove();
      await system.start();
    }
  });

  test('an event that no consumer had received at the time of the backup is delivered after the restore', async () => {
    const scene = await fixtures.newScene();
    await fixtures.submitQuiz(scene);
    const [{ id }] = await fixtures.quizSubmissions(scene.quizId);
    const { pid } = await system.process('courses');
    // The relay hands the event to the embedded broker, which is not part of a backup.
    process.kill(pid, 'SIGSTOP');
    const directory = await newDirectory();
    try {
      await (await fixtures.asAdmin()).post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, {
        grade: 9,
        total_grade: 10,
      });
      expect(await run('backup', directory, system.directory)).toEqual(done);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const dataDirectory = join(await newDirectory(), 'data');
    expect(await run('restore', directory, dataDirectory)).toEqual(done);
    const restored = await startLocalSystem({ DATA_DIR: dataDirectory });
    try {
      const student = await logInAgain(new Fixtures(restored), scene.student);
      const grades = async () => (await student.get('/api/v3/grades')).body.data;
      await waitFor(async () => (await grades()).length === 1);
      expect(await grades()).toEqual([expect.objectContaining({ grade: 9, total_grade: 10 })]);
    } finally {
      await restored.remove();
    }
  });

  test('credentials, file links and ids from before a restore are invalid afterwards', async () => {
    const scene = await fixtures.newScene();
    await fixtures.submitQuiz(scene);
    const [{ pdf_answer_url: link }] = await fixtures.quizSubmissions(scene.quizId);
    expect((await fetch(link)).status).toBe(200);
    // Near the end of the column.
    await query(system, "SELECT setval('courses.classes_id_seq', 2147483000)");
    const directory = await newDirectory();
    expect(await run('backup', directory, system.directory)).toEqual(done);
    const later = await fixtures.newScene();
    await fixtures.submitQuiz(later);
    const given = await sequencesOf(system);

    const dataDirectory = join(await newDirectory(), 'data');
    expect(await run('restore', directory, dataDirectory)).toEqual(done);
    const restored = await startLocalSystem({ DATA_DIR: dataDirectory, RATE_LIMIT_PER_MINUTE: '0' });
    try {
      const again = new Fixtures(restored);
      const paths = { gateway: '/api/v3/me', auth: '/api/v3/me', quiz: '/api/v3/quiz/submissions' } as const;
      for (const token of [scene.student.token, later.student.token]) {
        for (const [name, path] of Object.entries(paths)) {
          const { port } = await restored.process(name as keyof typeof paths);
          const client = createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, token });
          expect((await client.get(path)).status, name).toBe(401);
        }
        expect((await again.callAs(token).post('/api/v3/token/refresh')).status).toBe(401);
      }
      const { pathname, search } = new URL(link);
      expect((await fetch(restored.baseUrl + pathname + search)).status).toBe(403);
      const student = await logInAgain(again, scene.student);
      const [{ pdf_answer_url: newLink }] = await again.quizSubmissions(scene.quizId);
      expect((await fetch(newLink)).status).toBe(200);
      expect((await student.get('/api/v3/quiz/submissions')).body.data).toHaveLength(1);

      const next = await again.newScene();
      expect(next.student.id).toBeGreaterThan(later.student.id + 900_000);
      expect(next.classId).toBeGreaterThan(2147483000 + 100);
      const gaps = (await sequencesOf(restored)).map(({ name, value }) => ({
        name,
        gap: value - (given.find((each) => each.name === name)?.value ?? 0),
      }));
      const narrow = gaps.filter(({ gap }) => gap < 900_000);
      expect(narrow).toEqual([{ name: 'courses.classes_id_seq', gap: expect.any(Number) }]);
      expect(gaps.length).toBeGreaterThanOrEqual(given.length);

      // The same applies to a database that was recovered by other means, even if a process kept running.
      const recovered = await runProgram([programAt('backup/dist/main.js'), 'prepare-recovered'], {
        BACKUP_DATABASE_URL: await databaseOf(restored),
        ERASURE_LIST: join(dataDirectory, 'erasures.jsonl'),
      });
      expect(recovered).toEqual(done);
      await waitFor(async () => (await student.get('/api/v3/quiz/submissions')).status === 401);
      await waitFor(async () => {
        const { email, password } = scene.student;
        return (await again.logIn(email, password)).status === 200;
      });
    } finally {
      await restored.remove();
    }
  });

  test('a person who was erased after the backup is erased again after the restore', async () => {
    const scene = await fixtures.newScene();
    await fixtures.submitQuiz(scene);
    const earlier = await fixtures.newStudent();
    const admin = await fixtures.asAdmin();
    const erase = async (id: number) => {
      await admin.post(`/api/v3/admin/users/${id}/erasure`);
      await waitFor(async () => (await erasureOf(admin, id)).status === 'done');
    };
    await erase(earlier.id);
    const directory = await newDirectory();
    expect(await run('backup', directory, system.directory)).toEqual(done);
    const { id, email, password } = scene.student;
    const later = await fixtures.newStudent();
    await erase(id);
    await erase(later.id);

    const withoutList = await run('restore', directory, join(await newDirectory(), 'data'), {
      ERASURE_LIST: join(temporary, 'lost'),
    });
    expect(withoutList).toEqual({
      code: 0,
      output: expect.stringContaining('people erased since the backup'),
    });

    const dataDirectory = join(await newDirectory(), 'data');
    const { code, output } = await run('restore', directory, dataDirectory);
    expect(code).toBe(0);
    expect(output.match(/Erasing user \d+ again/g)).toEqual([`Erasing user ${id} again`]);
    const restored = await startLocalSystem({ DATA_DIR: dataDirectory });
    try {
      const again = new Fixtures(restored);
      const newAdmin = await again.asAdmin();
      await waitFor(async () => (await erasureOf(newAdmin, id)).status === 'done');
      expect((await again.logIn(email, password)).status).toBe(401);
      expect((await newAdmin.get(`/api/v3/admin/users/${id}`)).status).toBe(404);
      expect(await again.quizSubmissions(scene.quizId)).toEqual([]);
      // For the next restore.
      const list = await readFile(join(dataDirectory, 'erasures.jsonl'), 'utf8');
      for (const person of [earlier.id, id, later.id]) expect(list).toContain(`"user_id":${person},`);
      expect(list).not.toContain(email);
    } finally {
      await restored.remove();
    }
  });

  test('a file that is damaged in the store is reported, and the backup continues without it', async () => {
    const scene = await fixtures.newScene();
    const before = new Set(await filesIn(system.directory, 'quiz'));
    await fixtures.submitQuiz(scene);
    const [path = ''] = (await filesIn(system.directory, 'quiz')).filter((each) => !before.has(each));
    const intact = await readFile(path);
    await writeFile(path, 'damaged');
    const directory = await newDirectory();
    const { code, output } = await run('backup', directory, system.directory);
    await writeFile(path, intact);
    expect([code, output]).toEqual([
      3,
      expect.stringMatching(/The file [\w-]+ of quiz is damaged in the store/),
    ]);
    expect(await run('restore', directory, join(await newDirectory(), 'data'))).toEqual(done);
  });

  test('file names with any line separator, as earlier versions stored them, are backed up and restored', async () => {
    const scene = await fixtures.newScene();
    await fixtures.submitQuiz(scene);
    const name = 'answers\u2028sheet\u2029 \u0085\v\f\r\n\t\\N.pdf';
    await query(
      system,
      `UPDATE quiz.files SET name = $1 WHERE id = (SELECT file_id FROM quiz.submissions WHERE quiz_id = $2)`,
      [name, scene.quizId],
    );
    const directory = await newDirectory();
    expect(await run('backup', directory, system.directory)).toEqual(done);
    expect(await run('restore', directory, join(await newDirectory(), 'data'))).toEqual(done);
  });

  test('a backup reports success only after reading what it wrote', async () => {
    await fixtures.submitQuiz(await fixtures.newScene());
    const directory = await newDirectory();
    // The last table is read after all files were copied.
    const release = await holdTable(await databaseOf(system), 'audit.entries');
    const backup = run('backup', directory, system.directory);
    const waiting = "SELECT FROM pg_locks WHERE relation = 'audit.entries'::regclass AND NOT granted";
    try {
      await waitFor(async () => {
        const { rows } = await query(system, `${waiting} AND pid IN (${backups})`);
        return rows.length > 0;
      });
      const [path = ''] = await filesIn(directory, 'quiz');
      await writeFile(path, 'damaged');
    } finally {
      await release();
    }
    const { code, output } = await backup;
    expect([code, output]).toEqual([1, expect.stringContaining('does not match its SHA-256')]);
    const restored = await run('restore', directory, join(await newDirectory(), 'data'));
    expect(restored).toEqual({ code: 1, output: expect.stringContaining('contains no backup') });
  });

  test('a damaged backup is refused before anything is restored', async () => {
    await fixtures.submitQuiz(await fixtures.newScene());
    const directory = await newDirectory();
    await run('backup', directory, system.directory);
    const [path = ''] = await filesIn(directory, 'quiz');
    await writeFile(path, 'damaged');
    const dataDirectory = join(await newDirectory(), 'data');
    const { code, output } = await run('restore', directory, dataDirectory);
    expect([code, output]).toEqual([1, expect.stringContaining('does not match its SHA-256')]);
    expect(await filesIn(dataDirectory, 'quiz')).toEqual([]);
  });

  test('a restore into an installation with data and a backup into a directory that is not empty are refused', async () => {
    const directory = await newDirectory();
    expect(await run('backup', directory, system.directory)).toEqual(done);
    const second = await run('backup', directory, system.directory);
    expect(second).toEqual({ code: 1, output: expect.stringContaining('is not empty') });
    const { code, output } = await run('restore', directory, system.directory);
    expect([code, output]).toEqual([1, expect.stringContaining('already runs')]);
  });
});

const erasureOf = async (admin: HttpClient, id: number) =>
  (await admin.get(`/api/v3/admin/users/${id}/erasure`)).body.data;

/** All id sequences of the services, with the last id that each has issued. */
async function sequencesOf(of: LocalSystem): Promise<{ name: string; value: number }[]> {
  const { rows } = await query(
    of,
    `SELECT format('%s.%s', schemaname, sequencename) AS name, coalesce(last_value, 0)::float8 AS value
     FROM pg_sequences WHERE schemaname IN ('auth', 'courses', 'homework', 'quiz', 'audit')`,
  );
  return rows;
}

/** Has students upload until it is stopped; returns the number of accepted uploads. */
function startUploads(): { stop(): Promise<number> } {
  let isStopping = false;
  let accepted = 0;
  const upload = async () => {
    const scene = await fixtures.newScene();
    while (!isStopping) {
      // Each upload replaces the previous file, so that files of the snapshot are deleted while they are being copied.
      if ((await fixtures.submitQuiz(scene)).status === 200) accepted += 1;
    }
  };
  const uploading = Promise.all([upload(), upload()]);
  return {
    async stop() {
      isStopping = true;
      await uploading;
      return accepted;
    },
  };
}
