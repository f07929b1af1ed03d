// Backs up and restores an installation with 10,000 submissions, and compares both with a plain copy of the same
// files that also reads them again for their checksums.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLocalSystem } from '@gradeway/test/localSystem';
import { Client } from 'pg';

const [submissions, fileBytes] = [10_000, 100_000];
// Unlike a plain copy, both sync every file to the disk before they continue.
const goal = 40;

const temporary = mkdtempSync(join(tmpdir(), 'gradeway-bench-backup-'));
const system = await startLocalSystem();
const files = join(system.directory, 'files/quiz');
console.log(`Creating ${submissions} submissions with files of ${fileBytes / 1000} KB…`);
const stored = Array.from({ length: submissions }, () => {
  const [key, content] = [randomUUID(), randomBytes(fileBytes)];
  mkdirSync(join(files, key.slice(0, 2)), { recursive: true });
  writeFileSync(join(files, key.slice(0, 2), key), content);
  return { key, sha256: createHash('sha256').update(content).digest('hex') };
});
await insertRows();
await system.stop();

const backup = join(temporary, 'backup');
const restored = join(temporary, 'restored');
const backupMs = timed(() => run('backup', backup, system.directory));
const restoreMs = timed(() => run('restore', backup, restored));
const copyMs = timed(() => {
  cpSync(files, join(temporary, 'copy'), { recursive: true });
  for (const entry of readdirSync(join(temporary, 'copy'), { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      createHash('sha256')
        .update(readFileSync(join(entry.parentPath, entry.name)))
        .digest();
});
const count = readdirSync(join(restored, 'files/quiz'), { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile(),
).length;

const ratio = restoreMs / copyMs;
console.log(`backup    ${(backupMs / 1_000).toFixed(1)} s`);
console.log(`restore   ${(restoreMs / 1_000).toFixed(1)} s, ${count} files`);
console.log(`copy      ${(copyMs / 1_000).toFixed(1)} s`);
console.log(`ratio     ${ratio.toFixed(1)} (goal: at most ${goal})`);
await system.remove();
rmSync(temporary, { recursive: true, force: true });
process.exit(ratio <= goal && count === submissions ? 0 : 1);

async function insertRows(): Promise<void> {
  const { roles } = JSON.parse(readFileSync(join(system.directory, 'secrets.json'), 'utf8'));
  const { port } = await system.process('postgres');
  const client = new Client({
    connectionString: `postgres://gradeway_quiz:${roles.quiz}@127.0.0.1:${port}/gradeway`,
  });
  await client.connect();
  await client.query(
    `INSERT INTO files (key, name, size, sha256, crc32, attached_at)
     SELECT key, 'answers.pdf', $2, sha256, 0, now() FROM jsonb_to_recordset($1) AS file (key text, sha256 text)`,
    [JSON.stringify(stored), fileBytes],
  );
  await client.query(`
    INSERT INTO quizzes (course_id, title) SELECT n, 'Quiz ' || n FROM generate_series(1, 100) n;
    INSERT INTO submissions (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at)
      SELECT id % 100 + 1, id % 100 + 1, id, id, now(), 30, now() FROM files`);
  await client.end();
}

function run(command: string, directory: string, dataDirectory: string): void {
  const cli = fileURLToPath(new URL('../../local/dist/backupCli.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [cli, command, directory], {
    env: { ...process.env, DATA_DIR: dataDirectory },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
}

function timed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
