import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { scrape } from '@gradeway/test/metrics';
import { exponentialPageTree, pdfBombs } from '@gradeway/test/pdfBombs';
import { childrenOf, memoryOf } from '@gradeway/test/processUsage';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from '../../services/quiz/test/quizService.ts';

const megabyte = 1024 * 1024;
const mostGrowth = 200 * megabyte;

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService({ PDF_CHECK_CPU_SECONDS: '2' });
  expect(await statusOfUpload()).toBe(200);
});
afterAll(() => quiz.close());

async function statusOfUpload(file?: Blob): Promise<number> {
  return (await quiz.upload(await quiz.setUp(), file ? { file } : {})).status;
}

/** The processes that check PDFs for the service. */
const workers = () => childrenOf(quiz.service.pid, 'pdfWorker');

// A worker that has just checked a file, because idle workers end after 30 s, and workers of earlier tests may be ending.
const idleWorker = async (): Promise<number> => {
  expect(await statusOfUpload()).toBe(200);
  await waitFor(() => workers().length === 1);
  const [pid = 0] = workers();
  return pid;
};

const contained = [
  'object stream of 900 MB',
  'array of 100 million entries',
  'xref table of 4 million entries',
];
test.each(pdfBombs.filter(({ kind }) => contained.includes(kind)))(
  '$kind: rejected as invalid, and neither the service nor its worker grows by 200 MB',
  async ({ make }) => {
    const idle = memoryOf(await idleWorker()).now;
    const before = memoryOf(quiz.service.pid).now;
    writeFileSync(`/proc/${quiz.service.pid}/clear_refs`, '5');
    let peak = 0;
    const sampling = setInterval(() => {
      peak = Math.max(peak, ...workers().map((pid) => memoryOf(pid).peak));
    }, 20);
    expect(await statusOfUpload(new Blob([new Uint8Array(make())]))).toBe(422);
    clearInterval(sampling);
    expect(memoryOf(quiz.service.pid).peak - before).toBeLessThan(mostGrowth);
    expect(peak - idle).toBeLessThan(mostGrowth);
    expect(await statusOfUpload()).toBe(200);
  },
);

test('a worker that is stopped for a few seconds makes no legitimate PDF invalid', async () => {
  const worker = await idleWorker();
  process.kill(worker, 'SIGSTOP');
  let answered = false;
  const upload = statusOfUpload().finally(() => {
    answered = true;
  });
  // This delay is deliberate: how long the worker hangs.
  await sleep(4_000);
  expect(answered).toBe(false);
  process.kill(worker, 'SIGCONT');
  expect(await upload).toBe(200);
});

test('a worker that is killed during a check is replaced, and the check succeeds', async () => {
  const worker = await idleWorker();
  process.kill(worker, 'SIGSTOP');
  const upload = statusOfUpload();
  // A stopped worker shows no sign of the file that it was given.
  await sleep(500);
  process.kill(worker, 'SIGKILL');
  expect(await upload).toBe(200);
});

test('uploads get 503 and not 422 while every worker is killed, and succeed afterwards', async () => {
  const killing = setInterval(() => {
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
  }, 5);
  expect(await statusOfUpload()).toBe(503);
  clearInterval(killing);
  expect(await statusOfUpload()).toBe(200);
});

test('a service without a process for the check returns 503, and recovers', async () => {
  const limitHandles = (limit: number) =>
    execFileSync('prlimit', ['--pid', String(quiz.service.pid), `--nofile=${limit}:`]);
  const loggedBefore = quiz.service.log().length;
  const failed = () => quiz.service.log().slice(loggedBefore).includes('"PDF check failed"');
  // The limit applies to handle numbers, and the numbers of closed handles are reused: that many unused numbers are
  // below the returned one. Connections to clients and to the database come and go.
  const limitThatLeaves = (unused: number) => {
    const used = new Set(readdirSync(`/proc/${quiz.service.pid}/fd`).map(Number));
    let limit = 0;
    for (let free = 0; free < unused || used.has(limit); limit += 1) if (!used.has(limit)) free += 1;
    return limit;
  };
  const statuses: number[] = [];
  // At some limit there is room for the connection and the incoming file, but not for another process.
  for (let room = 12; room >= 0 && !failed(); room -= 1) {
    for (const worker of workers()) process.kill(worker, 'SIGKILL');
    await waitFor(() => workers().length === 0);
    limitHandles(limitThatLeaves(room));
    statuses.push(await statusOfUpload().catch(() => 503));
    // Lines of the log are written in batches.
    for (let waited = 0; statuses.at(-1) === 503 && !failed() && waited < 2_000; waited += 50)
      await sleep(50);
  }
  limitHandles(20_000);
  expect(failed()).toBe(true);
  // Never 422: the file is valid.
  expect(new Set([200, 503, ...statuses])).toEqual(new Set([200, 503]));
  expect(statuses.at(-1)).toBe(503);
  expect(await statusOfUpload()).toBe(200);
});

test('a legitimate upload succeeds while one student sends bombs (D46)', async () => {
  const scene = await quiz.setUp();
  const bomb = new Blob([new Uint8Array(exponentialPageTree())]);
  const answered: string[] = [];
  const bombs = [1, 2, 3].map(() =>
    quiz.upload(scene, { file: bomb }).then(({ status }) => answered.push(`bomb ${status}`)),
  );
  const waiting = async () => (await scrape(quiz.service.adminUrl)).value('gradeway_pdf_checks_waiting');
  await waitFor(async () => (await waiting()) === 2);
  answered.push(`honest ${await statusOfUpload()}`);
  await Promise.all(bombs);
  expect(answered.indexOf('honest 200')).toBeLessThan(2);
  expect(answered.toSorted()).toEqual(['bomb 422', 'bomb 422', 'bomb 422', 'honest 200']);
});
