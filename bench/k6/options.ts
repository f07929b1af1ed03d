import type { Settings } from './settings.ts';

/** The `name` tag of each kind of request, and its path at the gateway. */
export const requests = {
  login: ['POST', '/api/v3/login'],
  reauthenticate: ['POST', '/api/v3/reauthenticate'],
  createUser: ['POST', '/api/v3/admin/users'],
  deleteUser: ['DELETE', '/api/v3/admin/users/:id'],
  createCourse: ['POST', '/api/v3/admin/courses'],
  deleteCourse: ['DELETE', '/api/v3/admin/courses/:id'],
  enroll: ['PUT', '/api/v3/admin/courses/:id/students/:user'],
  createQuiz: ['POST', '/api/v3/quiz/pdf-quizzes'],
  deleteQuiz: ['DELETE', '/api/v3/quiz/pdf-quizzes/:id'],
  quiz: ['GET', '/api/v3/quiz/pdf-quizzes/:id'],
  list: ['GET', '/api/v3/quiz/pdf-quizzes'],
  grading: ['POST', '/api/v3/quiz/pdf-quizzes/grade/:id'],
  upload: ['POST', '/api/v3/quiz/submit-pdf'],
  courses: ['GET', '/api/v3/courses'],
  homeworks: ['GET', '/api/v3/homeworks'],
  submissions: ['GET', '/api/v3/quiz/submissions'],
  grades: ['GET', '/api/v3/grades'],
  me: ['GET', '/api/v3/me'],
} as const;

export type RequestName = keyof typeof requests;

/** The pages that students look at. */
export const pages = ['courses', 'homeworks', 'submissions', 'grades', 'me'] as const;

/** Metrics of these scripts, in addition to k6's own. */
export const counters = {
  failed: 'failed_requests',
  accepted: 'accepted_uploads',
  judgedLate: 'judged_late',
  /** Uploads that this machine began after the end of the quiz because it was too slow for the test. */
  startedLate: 'started_late',
  /** Broken connections, counted only for slow phones. */
  broken: 'broken_uploads',
  stored: 'stored_submissions',
  doubled: 'doubled_submissions',
} as const;

/** The time limit for preparing a school: about ten accounts a second. */
const setupTimeout = (accounts: number) => `${120 + accounts}s`;
const drainSeconds = 300;

const readsWithin = (p99Ms: number, names: readonly RequestName[]) =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`http_req_duration{name:${name}}`, [`p(99)<=${p99Ms}`]],
      // Without samples the p99 is 0, which would pass.
      [`http_reqs{name:${name}}`, ['count>0']],
    ]),
  );

const common = {
  batch: 20,
  batchPerHost: 20,
  summaryTrendStats: ['min', 'med', 'avg', 'p(95)', 'p(99)', 'max', 'count'],
  userAgent: 'gradeway-load',
};

export function deadlineOptions({ students, graders, p99Ms, ...seconds }: Settings) {
  const { loginSeconds, windowSeconds, graceSeconds } = seconds;
  const exam = loginSeconds + windowSeconds + graceSeconds;
  return {
    ...common,
    setupTimeout: setupTimeout(students),
    teardownTimeout: setupTimeout(students),
    scenarios: {
      students: {
        executor: 'per-vu-iterations',
        exec: 'student',
        vus: students,
        iterations: 1,
        maxDuration: `${exam + drainSeconds}s`,
      },
      graders: {
        executor: 'constant-vus',
        exec: 'grader',
        vus: graders,
        startTime: `${loginSeconds}s`,
        duration: `${windowSeconds + graceSeconds + 5}s`,
      },
    },
    thresholds: {
      [counters.failed]: ['count==0'],
      [counters.judgedLate]: ['count==0'],
      [counters.startedLate]: ['count==0'],
      [counters.accepted]: [`count==${students}`],
      [counters.stored]: [`count==${students}`],
      [counters.doubled]: ['count==0'],
      ...readsWithin(p99Ms, ['list', 'grading']),
    },
  };
}

// The busiest hour of a thousand students: ten pages a second, and every five seconds a login, an upload and a grading
// (docs/capacity.md).
const pageSeconds = 100;
const otherSeconds = 5_000;

/** The number of uploads of a normal day. */
export const uploadsOfDay = ({ students, durationSeconds }: Settings): number =>
  Math.ceil((durationSeconds * students) / otherSeconds) + 1;

/** Students who read and submit; the others only log in. */
export const activeStudents = ({ students }: Settings): number =>
  Math.min(students, Math.max(5, Math.min(100, Math.ceil(students / 50))));

/** Accounts of a normal day. More students only raise the rates. */
export const accountsOfDay = ({ students }: Settings): number => Math.min(students, 200);

export function normalDayOptions(settings: Settings) {
  const { students, durationSeconds, p99Ms } = settings;
  const scenario = (exec: string, everySeconds: number) => {
    // Enough for two seconds of iterations, or for ten times as many if responses are slow.
    const atOnce = Math.ceil((students * 2) / everySeconds) + 2;
    return {
      executor: 'constant-arrival-rate',
      exec,
      rate: students,
      timeUnit: `${everySeconds}s`,
      duration: `${durationSeconds}s`,
      preAllocatedVUs: atOnce,
      maxVUs: atOnce * 10,
    };
  };
  return {
    ...common,
    setupTimeout: setupTimeout(accountsOfDay(settings) + uploadsOfDay(settings)),
    teardownTimeout: setupTimeout(accountsOfDay(settings) + uploadsOfDay(settings)),
    scenarios: {
      pages: scenario('page', pageSeconds),
      logins: scenario('login', otherSeconds),
      uploads: scenario('upload', otherSeconds),
      gradings: scenario('grading', otherSeconds),
    },
    thresholds: {
      [counters.failed]: ['count==0'],
      [counters.doubled]: ['count==0'],
      // This machine kept up with the rates.
      dropped_iterations: ['count==0'],
      ...readsWithin(p99Ms, [...pages, 'list', 'grading']),
    },
  };
}
