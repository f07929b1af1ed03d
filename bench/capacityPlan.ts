// The plan of docs/capacity.md, computed from the costs of one upload, one login and one page. After changing these
// numbers: WRITE_DOCS=1 npm test -- test/contract/capacityPlan.test.ts

/**
 * CPU time in milliseconds, measured on one machine: `upload.cpu`, `logins.rate` and `page.cpu` in the table of
 * bench/README.md.
 */
const costs = {
  // upload.cpu, by process.
  upload: { gateway: 1.7, auth: 0.9, courses: 1.5, quiz: 7.7, postgres: 2 },
  // The main thread of quiz, one per replica (upload.cpu, `quiz main`).
  uploadMainThread: 5.2,
  // logins.rate, CPU of auth and PostgreSQL. Gateway and courses are estimates.
  login: { gateway: 0.1, auth: 11, courses: 0.2, quiz: 0, postgres: 1.2 },
  // Four times page.cpu, by process: the web application loads four lists. Lists of homework and courses are assumed
  // to cost as much as lists of quiz.
  page: { gateway: 0.56, auth: 0, courses: 0.64, quiz: 1.6, postgres: 1.1 },
};

type Process = keyof typeof costs.upload;
const processes = Object.keys(costs.upload) as Process[];

/** The assumptions that all sizes share. */
export const exam = {
  /** All students submit within this time, at a rate that rises towards the end: in the last second it is twice the mean. */
  windowSeconds: 600,
  /** The maximum time that an upload may wait for its slot (TRANSFER_IDLE_TIMEOUT of the gateway is 120 s). */
  longestWaitSeconds: 60,
  loginSeconds: 1_800,
  /** Student pages a second, in the busiest hour of a normal day. */
  pagesPerStudent: 0.01,
  fileBytes: 1_000_000,
  /** The average utilization of a core. The rest is reserved for peaks. */
  utilization: 0.6,
  /** How long an upload's transactions hold a server connection, in seconds. */
  transactionSeconds: 0.02,
  poolPerReplica: 10,
};

export interface Plan {
  students: number;
  /** Uploads, logins and pages a second. */
  uploads: number;
  logins: number;
  pages: number;
  cores: Record<Process, number>;
  replicas: Record<Process, number>;
  /** Connections from all replicas to PgBouncer, and from PgBouncer to PostgreSQL. */
  clientConnections: number;
  serverConnections: number;
  /** Into the gateways, in Gbit/s. Each byte is sent twice more: to quiz, and to the bucket. */
  gigabits: number;
  fileTerabytes: number;
  /** Revocation messages a second from auth: one to every process. */
  revocationCalls: number;
}

/**
 * The uploads a second that must be stored so that no upload waits longer than allowed. The share of uploads by time t is (t/window)². At a rate of r × students/window, the queue at the end holds (1 - r/2)² of all uploads, and
 * the last upload waits for the whole queue.
 */
export function uploadRate(students: number): number {
  const { windowSeconds, longestWaitSeconds } = exam;
  const half = 1 + longestWaitSeconds / windowSeconds;
  const r = 2 * (half - Math.sqrt(half ** 2 - 1));
  return (r * students) / windowSeconds;
}

export function planFor(students: number): Plan {
  const uploads = uploadRate(students);
  const logins = students / exam.loginSeconds;
  const pages = students * exam.pagesPerStudent;
  // Logins have ended when the uploads begin.
  const coresOf = (each: Process) =>
    Math.max(uploads * costs.upload[each], logins * costs.login[each]) / 1_000 +
    (pages * costs.page[each]) / 1_000;
  const cores = recordOf((each) => coresOf(each) / exam.utilization);
  const quizByThread =
    (uploads * costs.uploadMainThread + pages * costs.page.quiz) / 1_000 / exam.utilization;
  // At least two, so that one may fail. A replica is one thread; quiz also has others.
  const replicas = recordOf((each) =>
    each === 'postgres' ? 1 : Math.max(2, Math.ceil(each === 'quiz' ? quizByThread : cores[each])),
  );
  const nodes = replicas.gateway + replicas.auth + replicas.courses + replicas.quiz + 2;
  return {
    students,
    ...{ uploads, logins, pages, cores, replicas },
    clientConnections: (nodes - replicas.gateway) * exam.poolPerReplica,
    serverConnections: Math.ceil((uploads * exam.transactionSeconds) / exam.utilization) + 10,
    gigabits: (uploads * exam.fileBytes * 8) / 1e9,
    fileTerabytes: (students * exam.fileBytes) / 1e12,
    revocationCalls: nodes,
  };
}

const recordOf = (value: (each: Process) => number): Record<Process, number> =>
  Object.fromEntries(processes.map((each) => [each, value(each)])) as Record<Process, number>;

/** The table of the plan in Markdown. */
export function planTable(sizes: readonly number[]): string {
  const plans = sizes.map(planFor);
  const line = (name: string, value: (plan: Plan) => number) =>
    `| ${name} | ${plans.map((plan) => shown(value(plan))).join(' | ')} |`;
  return [
    `| | ${plans.map(({ students }) => `${shown(students)} students`).join(' | ')} |`,
    `|---|${plans.map(() => '---:|').join('')}`,
    line('uploads stored a second', ({ uploads }) => uploads),
    line('logins a second', ({ logins }) => logins),
    line('pages a second', ({ pages }) => pages),
    ...(['gateway', 'auth', 'courses', 'quiz'] as const).flatMap((each) => [
      line(`${each}: cores`, ({ cores }) => cores[each]),
      line(`${each}: replicas`, ({ replicas }) => replicas[each]),
    ]),
    line('PostgreSQL: cores', ({ cores }) => cores.postgres),
    line('connections to PgBouncer', ({ clientConnections }) => clientConnections),
    line('connections to PostgreSQL', ({ serverConnections }) => serverConnections),
    line('uploads, Gbit/s into the gateways', ({ gigabits }) => gigabits),
    line('files of the exam, TB', ({ fileTerabytes }) => fileTerabytes),
    line('messages of revocations a second', ({ revocationCalls }) => revocationCalls),
  ].join('\n');
}

const shown = (value: number): string =>
  value >= 10 ? Math.ceil(value).toLocaleString('en-US') : String(Number(value.toPrecision(2)));
