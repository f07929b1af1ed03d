// Compares 32 concurrent uploads of 5 MB, sent directly to quiz and through the gateway, with nginx writing the same
// bodies to disk. Quiz hashes, checks and syncs each file. Memory is the resident memory of the process, without the
// file cache.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePdf } from '@gradeway/local/demoPdf';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { freePort } from '@gradeway/local/ports';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { type Measurement, measure, type Subject } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { type Service, startBenchService } from '../support/processes/benchService.ts';
import { sendForm } from '../support/school/sendUpload.ts';

const [uploads, fileBytes, rounds] = [32, 5_000_000, 6];
const courseId = 1;

interface Server {
  url: string;
  pid: number;
}

export async function run(): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-streams-'));
  const children: ChildProcess[] = [];
  const service = await startBenchService('quiz');
  try {
    service.peers.courses.push({ courseId, title: 'Course', revision: 1 });
    for (let user = 1; user <= uploads; user += 1)
      service.peers.enrollments.set(`${user}/${courseId}`, { paid: true });
    const gateway = await startGateway(service, children);
    const nginx = await startNginx(directory, children);
    const pdf = await makePdf('A scan', { bytes: fileBytes });
    const subjects = [
      subjectOf('direct', service, { url: service.url, pid: service.pid }, pdf),
      subjectOf('gateway', service, gateway, pdf),
      subjectOf('nginx', service, nginx, pdf),
    ];
    const measured = await measure({ subjects, rounds });
    console.log(measured.table());
    return rowsOf(measured);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function rowsOf(measured: Measurement): Row[] {
  const work = '32 uploads of 5 MB at once';
  const note = ['direct', 'gateway', 'nginx']
    .map((name) => `${name} ${short((measured.median(name, 'rate') * fileBytes) / 1e6)} MB/s`)
    .join(', ');
  const growth = (name: string, what: string): Row => ({
    name: `streams.memory.${name}`,
    work: `${work}: resident growth of ${what}`,
    against: 'none',
    goal: { atMost: 64 },
    unit: 'MB',
    values: measured.values(name, 'growthMb'),
  });
  return [
    {
      name: 'streams.direct',
      work: `${work}, hashed, checked and synced`,
      against: 'nginx writing the bodies to disk',
      goal: { atLeast: 0.3 },
      values: measured.ratios('direct', 'nginx', 'rate'),
      note,
    },
    {
      name: 'streams.gateway',
      work: `${work}, through the gateway`,
      against: 'direct',
      goal: { atLeast: 0.8 },
      values: measured.ratios('gateway', 'direct', 'rate'),
      note,
    },
    growth('direct', 'quiz'),
    growth('gateway', 'the gateway'),
  ];
}

function subjectOf(name: string, service: Service, { url, pid }: Server, pdf: Buffer): Subject {
  return {
    name,
    processes: () => [pid],
    async run() {
      const quizId = await newQuiz(service);
      const before = await memoryOf(pid, 'VmRSS');
      await writeFile(`/proc/${pid}/clear_refs`, '5');
      const startedAt = performance.now();
      const answers = await Promise.all(
        Array.from({ length: uploads }, (_, index) => {
          const token = service.tokens.sign(index + 1, 'user');
          return sendForm({ baseUrl: url, courseId, pdf }, { token, quizId });
        }),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      const failed = answers.find(({ status }) => status !== 200);
      if (failed) throw new Error(`${name} returned ${failed.status}: ${failed.body}`);
      const growthMb = ((await memoryOf(pid, 'VmHWM')) - before) / 1024 / 1024;
      return { operations: uploads, seconds, growthMb };
    },
  };
}

async function newQuiz({ url, tokens }: Service): Promise<number> {
  const form = new FormData();
  form.append('title', 'Quiz');
  form.append('course_id', String(courseId));
  const headers = { authorization: `Bearer ${tokens.sign(1_000, 'admin')}` };
  const answer = await fetch(`${url}/api/v3/quiz/pdf-quizzes`, { method: 'POST', body: form, headers });
  return ((await answer.json()) as { data: { id: number } }).data.id;
}

async function memoryOf(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
}

async function startGateway({ url, peers, tokens }: Service, children: ChildProcess[]): Promise<Server> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const main = fileURLToPath(new URL('../../gateway/dist/main.js', import.meta.url));
  return start(port, children, process.execPath, [main], {
    ...mallocSettings,
    ...{ HOST: '127.0.0.1', PORT: `${port}`, ADMIN_PORT: `${adminPort}`, SERVICE_SECRET: serviceSecret },
    ...{ AUTH_URL: url, COURSES_URL: url, HOMEWORK_URL: url, QUIZ_URL: url },
    ...{ AUTH_GRPC: peers.authGrpc, JWKS_URL: tokens.jwksUrl, RATE_LIMIT_PER_MINUTE: '0' },
  });
}

async function startNginx(directory: string, children: ChildProcess[]): Promise<Server> {
  const [port, sink] = [await freePort(), await freePort()];
  const file = join(directory, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
events { worker_connections 512; }
http {
  access_log off; client_max_body_size 64m; client_body_in_file_only clean; client_body_temp_path ${directory}/bodies;
  server {
    listen 127.0.0.1:${port};
    location = /readyz { return 200; }
    location / {
      proxy_pass http://127.0.0.1:${sink}; proxy_pass_request_body off; proxy_set_header Content-Length "";
    }
  }
  server { listen 127.0.0.1:${sink}; return 200; }
}
`,
  );
  return start(port, children, 'nginx', ['-c', file]);
}

async function start(
  port: number,
  children: ChildProcess[],
  program: string,
  parameters: string[],
  env: Record<string, string> = {},
): Promise<Server> {
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, pid: child.pid ?? 0 };
}
