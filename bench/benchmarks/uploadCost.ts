// Measures the CPU time of an upload of 1 MB in all processes, with RabbitMQ where it is installed. If BASELINE is
// the path of another built checkout, both are measured alternately.
import { measure, type Subject } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { processesOf } from '../support/school/processTimes.ts';
import { sendUploads } from '../support/school/sendUploads.ts';
import { type School, startSchool } from '../support/school/startSchool.ts';

const [students, rounds, warmUps] = [50, 5, 2];

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
  const { pids, timesOf } = await processesOf(school);
  return {
    name,
    processes: () => pids,
    async run() {
      const quizzes = [
        await school.fixtures.newQuiz(school.courseId),
        await school.fixtures.newQuiz(school.courseId),
        await school.fixtures.newQuiz(school.courseId),
      ];
      const startedAt = performance.now();
      let operations = 0;
      const times = await timesOf(async () => {
        operations = await sendUploads(school, quizzes);
        return operations;
      });
      return { operations, seconds: (performance.now() - startedAt) / 1_000, ...times };
    },
  };
}
