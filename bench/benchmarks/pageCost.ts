// Measures the CPU time of a student's list in all processes: the quizzes with the time left, or the submissions.
import { loadRequests } from '../support/load/loadRequests.ts';
import { type Figures, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { processesOf } from '../support/school/processTimes.ts';
import { sendUploads } from '../support/school/sendUploads.ts';
import { startSchool } from '../support/school/startSchool.ts';

const [students, quizzes] = [50, 10];
const [connections, seconds, rounds, warmUps] = [4, 4, 5, 3];

export async function run(): Promise<Row[]> {
  const school = await startSchool({ students, pdfBytes: 10_000 });
  try {
    const quizIds: number[] = [];
    for (let number = 0; number < quizzes; number += 1)
      quizIds.push(await school.fixtures.newQuiz(school.courseId));
    await sendUploads(school, quizIds);
    const { pids, timesOf } = await processesOf(school);
    const requests = school.students.flatMap(({ token }) =>
      ['available', 'submissions'].map((list) => ({ path: `/api/v3/quiz/${list}`, token })),
    );
    const { baseUrl: origin } = school.system;
    const subject = {
      name: 'gradeway',
      processes: () => pids,
      async run() {
        let figures: Figures = {};
        const times = await timesOf(async () => {
          figures = await loadRequests({ origin, requests, connections, seconds });
          return figures.operations ?? Number.NaN;
        });
        return { ...figures, ...times };
      },
    };
    const measured = await measure({ subjects: [subject], rounds, warmUps });
    console.log(measured.table());
    const parts = ['gateway', 'auth', 'courses', 'quiz', 'PostgreSQL'];
    return [
      {
        name: 'page.cpu',
        work: 'a list of a student, quizzes or submissions: CPU time of gateway, auth, courses and quiz',
        against: 'none',
        goal: { atMost: 1 },
        unit: 'ms',
        values: measured.values('gradeway', 'cpu').map((microseconds) => microseconds / 1_000),
        note: parts.map((part) => `${part} ${short(measured.median('gradeway', part))}`).join(', '),
      },
    ];
  } finally {
    await school.stop();
  }
}
