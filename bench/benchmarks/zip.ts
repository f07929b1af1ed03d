// Compares archives with a raw pipe of the same bytes: 30 files of 5 MB of one submission, and a course of 10,000 files.
// Memory must not depend on the size of an archive.
import { execFile, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { freePort } from '@gradeway/local/ports';
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { type BenchDatabase, startBenchDatabase } from '../support/database/benchDatabase.ts';
import { type Figures, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { type BenchProcess, startBenchProcess } from '../support/processes/benchProcess.ts';

const [scans, scanBytes] = [30, 5_000_000];
const [courseFiles, courseFileBytes] = [10_000, 100_000];
const scansOfSubmission = 1;
// The scans belong to another course, so that the archive of the course has the same bytes as its pipe.
const [courseOfScans, course] = [1, 2];
const growthGoalMb = 64;
// Time limit for one download: a transfer that stalls ends the benchmark with an error.
const downloadSeconds = 120;

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const surroundings = { database, peers, tokens };
  const homework = await startBenchProcess('homework', surroundings);
  const quiz = await startBenchProcess('quiz', surroundings);
  const env = { HOMEWORK_GRPC: homework.grpcAddress, QUIZ_GRPC: quiz.grpcAddress };
  const courses = await startBenchProcess('courses', { ...surroundings, env });
  await fillHomework(database, homework);
  await fillCourse(database, quiz);
  const pipes = { scans: await startRawPipe(homework), course: await startRawPipe(quiz) };
  const token = tokens.sign(1, 'admin');

  const archive = `${homework.url}/api/v3/assignments/download/${scansOfSubmission}`;
  const courseArchive = `${courses.url}/api/v3/admin/courses/${course}/submissions.zip`;
  const scanned = scans * scanBytes;
  const downloads = { one: [archive], eight: Array.from({ length: 8 }, () => archive) };
  await homework.resetPeak();
  const before = await homework.memory();
  const measured = await measure({
    rounds: 7,
    subjects: [
      { name: 'pipe', run: () => read([pipes.scans.url], '', scanned), processes: () => [pipes.scans.pid] },
      { name: 'ZIP', run: () => read(downloads.one, token, scanned), processes: () => [homework.pid] },
      {
        name: 'pipe × 8',
        run: () =>
          read(
            downloads.eight.map(() => pipes.scans.url),
            '',
            scanned,
          ),
        processes: () => [pipes.scans.pid],
      },
      { name: 'ZIP × 8', run: () => read(downloads.eight, token, scanned), processes: () => [homework.pid] },
    ],
  });
  console.log(measured.table());
  const growth = ((await homework.peakMemory()) - before) / 2 ** 20;
  const courseBytes = courseFiles * courseFileBytes;
  const ofCourse = await measure({
    rounds: 7,
    subjects: [
      {
        name: 'pipe',
        run: () => read([pipes.course.url], '', courseBytes),
        processes: () => [pipes.course.pid],
      },
      {
        name: 'archive',
        run: () => read([courseArchive], token, courseBytes),
        processes: () => [courses.pid, quiz.pid],
      },
    ],
  });
  console.log(ofCourse.table());
  for (const each of [homework, quiz, courses]) await each.stop();
  for (const each of Object.values(pipes)) each.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();

  const rates = (names: string[], from: typeof measured) =>
    `MB/s: ${names.map((name) => `${name} ${short(from.median(name, 'rate') / 1e6)}`).join(', ')}`;
  const ofScans = `ZIP of ${scans} files of ${scanBytes / 1e6} MB`;
  return [
    {
      name: 'zip.one',
      work: `${ofScans}: bytes a second`,
      against: 'raw pipe of the same bytes',
      goal: { atLeast: 0.75 },
      values: measured.ratios('ZIP', 'pipe', 'rate'),
      note: rates(['ZIP', 'pipe'], measured),
    },
    {
      name: 'zip.eight',
      work: `eight at once: bytes a second`,
      against: 'eight raw pipes',
      goal: { atLeast: 0.75 },
      values: measured.ratios('ZIP × 8', 'pipe × 8', 'rate'),
      note: rates(['ZIP × 8', 'pipe × 8'], measured),
    },
    {
      name: 'zip.memory',
      work: `${ofScans}, one and eight at once: growth of the resident memory`,
      against: '-',
      goal: { atMost: growthGoalMb },
      unit: 'MB',
      values: [growth],
    },
    {
      name: 'zip.course',
      work: `archive of a course of ${courseFiles} files of ${courseFileBytes / 1e3} KB: bytes a second`,
      against: 'raw pipe of the same bytes',
      goal: { atLeast: 0.75 },
      values: ofCourse.ratios('archive', 'pipe', 'rate'),
      note: rates(['archive', 'pipe'], ofCourse),
    },
  ];
}

/** Writes a service's files in the layout of its store. Returns their rows as JSON. */
function writeFiles({ directory }: BenchProcess, count: number, bytes: number): string {
  const content = randomBytes(bytes);
  const sums = { sha256: createHash('sha256').update(content).digest('hex'), crc32: crc32(content) };
  const rows = Array.from({ length: count }, (_, index) => {
    const key = `${String(index % 100).padStart(2, '0')}-${index}`;
    const folder = join(directory, 'files', key.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, key), content);
    return { key, size: bytes, ...sums };
  });
  return JSON.stringify(rows);
}

const insertFiles = (rows: string): string => `
  INSERT INTO files (key, name, size, sha256, crc32, attached_at)
    SELECT key, 'scan.pdf', size, sha256, crc32, now()
    FROM jsonb_to_recordset('${rows}') AS file (key text, size integer, sha256 text, crc32 bigint);`;

async function fillHomework(database: BenchDatabase, homework: BenchProcess): Promise<void> {
  await database.fill(
    'homework',
    `${insertFiles(writeFiles(homework, scans, scanBytes))}
     INSERT INTO classes VALUES (1, ${courseOfScans}, 'Class', now(), false, 1, true);
     INSERT INTO submissions (class_id, student_id, submitted_at) VALUES (1, 1, now());
     INSERT INTO submission_files SELECT id, 1, now() FROM files;`,
  );
}

async function fillCourse(database: BenchDatabase, quiz: BenchProcess): Promise<void> {
  await database.fill(
    'quiz',
    `${insertFiles(writeFiles(quiz, courseFiles, courseFileBytes))}
     INSERT INTO quizzes (course_id, title) SELECT ${course}, 'Quiz ' || n FROM generate_series(1, 100) n;
     INSERT INTO submissions (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at)
       SELECT id % 100 + 1, ${course}, id, id, now(), 30, now() FROM files;
     INSERT INTO people SELECT id, 'First' || id, 'Last' || id, id || '@test.example', false, 1 FROM files;`,
  );
  await database.fill(
    'courses',
    `INSERT INTO courses (title) SELECT 'Course ' || n FROM generate_series(1, ${course}) n;`,
  );
}

async function startRawPipe({
  directory,
}: BenchProcess): Promise<{ url: string; pid: number; stop(): void }> {
  const port = await freePort();
  const script = fileURLToPath(new URL('../support/baselines/rawPipe.ts', import.meta.url));
  const child = fork(script, [join(directory, 'files')], {
    env: { ...process.env, ...mallocSettings, PORT: `${port}` },
  });
  await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() };
}

/** Downloads everything at once with curl, which uses little CPU itself. One operation is one byte of the files. */
async function read(urls: string[], token: string, atLeastBytes: number): Promise<Figures> {
  const startedAt = performance.now();
  const options = ['-s', '-f', '-m', `${downloadSeconds}`, '-o', '/dev/null', '-w', '%{size_download}'];
  const sizes = await Promise.all(
    urls.map(async (url) => {
      const { stdout } = await promisify(execFile)('curl', [
        ...options,
        '-H',
        `Authorization: Bearer ${token}`,
        url,
      ]);
      return Number(stdout);
    }),
  );
  if (sizes.some((size) => size < atLeastBytes)) throw new Error('a download is incomplete');
  const seconds = (performance.now() - startedAt) / 1_000;
  return { operations: atLeastBytes * urls.length, seconds };
}
