import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fixtures } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../../local/dist/backupCli.js', import.meta.url));

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

const done = { code: 0, output: expect.any(String) };

const newDirectory = () => mkdtemp(join(temporary, 'backup-'));

/** Runs the command on an installation; `output` is what it printed. */
function run(
  command: 'backup' | 'restore',
  directory: string,
  dataDirectory: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, command, directory], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDirectory },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => resolve({ code, output }));
  });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const filesIn = async (directory: string, service: string): Promise<string[]> =>
  (await readdir(join(directory, 'files', service), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

// Each starts a second system.
describe('backup and restore', { timeout: 300_000 }, () => {
  test('a backup under load restores every session, receipt, grade and file that was there when it began', async () => {
    const scene = await fixtures.newScene();
    const file = await pdf('answers.pdf', { lines: ['restored'] });
    const submitted = await fixtures.submitQuiz(scene, { file });
    const receipt = submitted.headers.get('submission-receipt');
    const admin = await fixtures.asAdmin();
    const [{ id }] = await fixtures.quizSubmissions(scene.quizId);
    await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade: 7, total_grade: 10 });
    await fixtures.submitHomework(scene);
    await fixtures.waitForGrades(scene.student, 1);
    // The entry of another service arrives by its event.
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
      // The token is from before the backup: sessions and signing keys are restored.
      const student = again.callAs(scene.student.token);
      expect((await student.get('/api/v3/me')).status).toBe(200);
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
      const student = new Fixtures(restored).callAs(scene.student.token);
      const grades = async () => (await student.get('/api/v3/grades')).body.data;
      await waitFor(async () => (await grades()).length === 1);
      expect(await grades()).toEqual([expect.objectContaining({ grade: 9, total_grade: 10 })]);
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

  test('a restore into an installation that has data is refused, and a backup into a directory that is not empty', async () => {
    const directory = await newDirectory();
    expect(await run('backup', directory, system.directory)).toEqual(done);
    const second = await run('backup', directory, system.directory);
    expect(second).toEqual({ code: 1, output: expect.stringContaining('is not empty') });
    const { code, output } = await run('restore', directory, system.directory);
    expect([code, output]).toEqual([1, expect.stringContaining('already runs')]);
  });
});

/** Students who upload until stopped; returns the number of accepted uploads. */
function startUploads(): { stop(): Promise<number> } {
  let isStopping = false;
  let accepted = 0;
  const upload = async () => {
    const scene = await fixtures.newScene();
    while (!isStopping) {
      // Each replaces the file before: files of the snapshot are deleted while they are copied.
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
