// Measures the CPU time of an upload of 1 MB in all processes, with RabbitMQ where it is installed. With BASELINE, the path
// of another built checkout, it measures that one by turns.
import { childrenOf } from '@gradeway/test/processUsage';
import { cpuOfTrees } from './measuring/cpuTime.ts';
import { type Figures, measure, type Subject } from './measuring/measure.ts';
import type { Row } from './measuring/row.ts';
import { short } from './measuring/statistics.ts';
import { cpuByThread } from './measuring/threadTime.ts';
import { sendUpload } from './school/sendUpload.ts';
import { type School, startSchool } from './school/startSchool.ts';

const [uploads, students, atOnce, rounds, warmUps] = [150, 50, 4, 5, 2];
const processes = ['gateway', 'auth', 'courses', 'quiz'] as const;

export async function run(): Promise<Row[]> {
  const roots = [undefined, process.env.BASELINE].filter((root, index) => index === 0 || root);
  const schools: School[] = [];
  try {
    for (const root of roots)
      schools.push(await startSchool({ students, pdfBytes: 1_000_000, ...(root ? { root } : {}) }));
    const subjects = await Promise.all(
      schools.map((school, index) => subjectOf(index === 0 ? 'gradeway' : 'baseline', school)),
    );
    const measured = await measure({ subjects, rounds, warmUps });
    console.log(measured.table());
    const parts = ['gateway', 'auth', 'courses', 'quiz main', 'quiz V8', 'quiz libuv', 'PDF'];
    return [
      {
        name: 'upload.cpu',
        work: 'an upload of 1 MB: CPU time of gateway, auth, courses, quiz and its PDF checks',
        against: 'none',
        goal: { atMost: 25 },
        unit: 'ms',
        values: measured.values('gradeway', 'cpu').map((microseconds) => microseconds / 1_000),
        note: parts.map((part) => `${part} ${short(measured.median('gradeway', part))}`).join(', '),
      },
    ];
  } finally {
    for (const school of schools) await school.stop();
  }
}

async function subjectOf(name: string, school: School): Promise<Subject> {
  const pids = Object.fromEntries(
    await Promise.all(processes.map(async (each) => [each, (await school.system.process(each)).pid])),
  ) as Record<(typeof processes)[number], number>;
  const { pid: postgres } = await school.system.process('postgres');
  return {
    name,
    processes: () => Object.values(pids),
    async run() {
      const quizId = [
        await school.fixtures.newQuiz(school.courseId),
        await school.fixtures.newQuiz(school.courseId),
        await school.fixtures.newQuiz(school.courseId),
      ];
      const before = timesOf(pids, postgres);
      const startedAt = performance.now();
      await uploadAll(school, quizId);
      const seconds = (performance.now() - startedAt) / 1_000;
      const after = timesOf(pids, postgres);
      const parts = Object.keys(after).map((part) => [
        part,
        ((after[part] ?? 0) - (before[part] ?? 0)) / uploads / 1_000,
      ]);
      return { operations: uploads, seconds, ...Object.fromEntries(parts) };
    },
  };
}

async function uploadAll(school: School, quizzes: number[]): Promise<void> {
  const pending = quizzes.flatMap((quizId) => school.students.map((student) => ({ student, quizId })));
  const client = async () => {
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { status, body } = await sendUpload(school, next);
      if (status !== 200) throw new Error(`an upload was answered with ${status}: ${body}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

/** CPU time in microseconds, by process and for quiz by thread. */
function timesOf(pids: Record<(typeof processes)[number], number>, postgres: number): Figures {
  const threads = cpuByThread(pids.quiz);
  const sumOf = (name: RegExp) =>
    [...threads].reduce((sum, [thread, time]) => (name.test(thread) ? sum + time : sum), 0);
  return {
    gateway: cpuOfTrees([pids.gateway]),
    auth: cpuOfTrees([pids.auth]),
    courses: cpuOfTrees([pids.courses]),
    'quiz main': sumOf(/^main$/),
    'quiz V8': sumOf(/v8|node/i),
    'quiz libuv': sumOf(/libuv|uv/i),
    PDF: cpuOfTrees(childrenOf(pids.quiz, 'pdfWorker')),
    PostgreSQL: cpuOfTrees([postgres]),
  };
}
