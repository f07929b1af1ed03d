import { randomBytes } from 'node:crypto';
import { makePdf } from '@gradeway/local/demoPdf';
import { createHttpClient, form } from '@gradeway/test/httpClient';
import { bytesMovedBy } from '@gradeway/test/processUsage';
import type { ServiceProcess } from '@gradeway/test/serviceProcess';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QuizService } from '../../services/quiz/test/quizService.ts';
import { type QuizThroughGateway, startQuizThroughGateway } from './quizThroughGateway.ts';

/*
 * How often a file passes through each process, which does not vary with the machine: a process that read a file
 * twice, or stored it in two places, would move twice as many bytes.
 */

const fileBytes = 4_000_000;
// Parts of the form, headers, statements, log lines: far less than a tenth of the file.
const once = 1.1 * fileBytes;

let system: QuizThroughGateway;
let quiz: QuizService;
let gateway: ServiceProcess;
beforeAll(async () => {
  system = await startQuizThroughGateway();
  ({ quiz, gateway } = system);
});
afterAll(() => system?.close());

/** The bytes that gateway and quiz read and write during a request. */
async function movedDuring(send: () => Promise<void>) {
  const pids = { gateway: gateway.pid, quiz: quiz.service.pid };
  const all = () => Object.entries(pids).map(([name, pid]) => ({ name, ...bytesMovedBy(pid) }));
  const before = all();
  await send();
  return all().map(({ name, read, written }, index) => ({
    name,
    read: read - (before[index]?.read ?? 0),
    written: written - (before[index]?.written ?? 0),
  }));
}

const largePdf = async () =>
  new Blob([await makePdf('Answers'), Buffer.concat([Buffer.from('\n%'), randomBytes(fileBytes)])]);

function expectOnce(moved: Awaited<ReturnType<typeof movedDuring>>): void {
  for (const { name, read, written } of moved) {
    // More than the file itself, which proves that the counters belong to these processes.
    expect(read, `${name} reads the file`).toBeGreaterThan(fileBytes);
    expect(written, `${name} writes the file`).toBeGreaterThan(fileBytes);
    expect(read, `${name} reads the file once`).toBeLessThan(once);
    expect(written, `${name} writes the file once`).toBeLessThan(once);
  }
}

// Only Linux counts the bytes of a process.
const testOnLinux = test.runIf(process.platform === 'linux');

testOnLinux('an uploaded file is read and written once by the gateway and once by quiz', async () => {
  const scene = await quiz.setUp();
  const fields = {
    file: await largePdf(),
    course_id: String(scene.courseId),
    quiz_id: String(scene.quizId),
    duration: '30',
    start_at: new Date().toISOString().slice(0, 19),
  };
  const client = createHttpClient({ baseUrl: gateway.url, token: scene.student });
  const moved = await movedDuring(async () => {
    expect((await client.post('/api/v3/quiz/submit-pdf', form(fields))).status).toBe(200);
  });
  expectOnce(moved);
});

testOnLinux('a downloaded file is read and written once by quiz and once by the gateway', async () => {
  const scene = await quiz.setUp();
  expect((await quiz.upload(scene, { file: await largePdf() })).status).toBe(200);
  const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
  const { pathname, search } = new URL(body.data.submissions[0].pdf_answer_url, gateway.url);
  const moved = await movedDuring(async () => {
    const answer = await fetch(`${gateway.url}${pathname}${search}`);
    expect(answer.status).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(fileBytes);
  });
  expectOnce(moved);
});
