import http from 'k6/http';
import { type Answer, type Call, prepare, read } from './gateway.ts';
import { multipart } from './multipart.ts';
import { requests } from './options.ts';
import type { Settings } from './settings.ts';

/** The result of setup(), which is small because every virtual user gets a copy. */
export interface School {
  /** Appears in the email addresses of its accounts and in its titles. */
  name: string;
  password: string;
  adminToken: string;
  /** A student's number determines their group, and so their course and quiz. */
  groups: { courseId: number; quizIds: number[] }[];
  userIds: number[];
  /** How far the server's clock is ahead of this one, in milliseconds, accurate to a second. */
  clockAhead: number;
}

const perGroup = 500;
const atOnce = 20;

export const groupOf = (student: number): number => Math.floor(student / perGroup);
const groupsOf = (students: number): number => Math.ceil(students / perGroup);
export const emailOf = ({ name }: Pick<School, 'name'>, account: string): string =>
  `${account}@${name}.example`;

/** Creates courses with enrolled students who have paid, and graders. */
export function createSchool(settings: Settings, students: number): School {
  const name = `load-${Date.now().toString(36)}`;
  const password = `load test ${Math.random().toString(36)}${Math.random().toString(36)}`;
  const { adminToken: token, clockAhead } = logInAdmin(settings);
  const courses = times(groupsOf(students), (group) => ({
    request: 'createCourse' as const,
    token,
    body: { title: `${name} ${group + 1}` },
  }));
  const groups = idsOf(prepareAll(settings, courses)).map((courseId) => ({ courseId, quizIds: [] }));
  const account = (email: string, last_name: string, role: string) => ({
    request: 'createUser' as const,
    token,
    body: { first_name: 'Load', last_name, email: emailOf({ name }, email), password, role },
  });
  const studentIds = idsOf(
    prepareAll(
      settings,
      times(students, (each) => account(`student-${each}`, `Student ${each}`, 'user')),
    ),
  );
  const graderIds = idsOf(
    prepareAll(
      settings,
      times(settings.graders, (each) => account(`grader-${each}`, `Grader ${each}`, 'admin')),
    ),
  );
  prepareAll(
    settings,
    studentIds.map((id, each) => ({
      request: 'enroll' as const,
      ids: [groups[groupOf(each)]?.courseId ?? 0, id],
      token,
      body: { paid: true },
    })),
  );
  return { name, password, adminToken: token, groups, userIds: [...studentIds, ...graderIds], clockAhead };
}

/** Adds a quiz to every course. @param closesAt by this machine's clock; without it the quiz never closes */
export function addQuizzes(settings: Settings, school: School, closesAt?: number): void {
  for (const [index, group] of school.groups.entries()) {
    const quiz: Record<string, string> = {
      title: `${school.name} ${index + 1}`,
      course_id: String(group.courseId),
    };
    if (closesAt !== undefined) quiz.closes_at = timeText(closesAt + school.clockAhead);
    group.quizIds.push(...idsOf([sendQuiz(settings, school, quiz)]));
  }
}

/** Deletes everything that setup() created. Submissions stay in the database, as for any deleted quiz. */
export function deleteSchool(settings: Settings, { groups, userIds, adminToken: token }: School): void {
  if (settings.keepData) return;
  const quizzes = groups.flatMap(({ quizIds }) => quizIds);
  prepareAll(
    settings,
    quizzes.map((id) => ({ request: 'deleteQuiz' as const, ids: [id], token })),
  );
  prepareAll(
    settings,
    groups.map(({ courseId }) => ({ request: 'deleteCourse' as const, ids: [courseId], token })),
  );
  prepareAll(
    settings,
    userIds.map((id) => ({ request: 'deleteUser' as const, ids: [id], token })),
  );
}

/** A time in the API's format. */
export const timeText = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function logInAdmin(settings: Settings): { adminToken: string; clockAhead: number } {
  const { adminEmail: email, adminPassword: password, adminTotp: totp } = settings;
  const body = { email, password, ...(totp ? { totp } : {}) };
  const [answer] = prepare(settings, [{ request: 'login', body }]) as [Answer];
  const { access_token: adminToken } = read<{ access_token: string }>(answer);
  const clockAhead = Date.parse(String(answer.headers.Date)) + 500 - Date.now();
  // Creating graders may require it (REAUTHENTICATION).
  prepare(settings, [{ request: 'reauthenticate', token: adminToken, body: { password } }]);
  return { adminToken, clockAhead: Math.abs(clockAhead) < 1_000 ? 0 : clockAhead };
}

function prepareAll(settings: Settings, calls: Call[]): Answer[] {
  const answers: Answer[] = [];
  for (let first = 0; first < calls.length; first += atOnce)
    answers.push(...prepare(settings, calls.slice(first, first + atOnce)));
  return answers;
}

// A quiz is created with a form, which `prepare` cannot send.
function sendQuiz({ gatewayUrl }: Settings, { adminToken }: School, fields: Record<string, string>): Answer {
  const { body, contentType } = multipart(fields);
  const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': contentType };
  const [, path] = requests.createQuiz;
  const answer = http.post(gatewayUrl + path, body, { headers, tags: { name: 'createQuiz' } }) as Answer;
  if (answer.status !== 201) throw new Error(`creating the quiz returned ${answer.status}: ${answer.body}`);
  return answer;
}

const idsOf = (answers: Answer[]): number[] =>
  answers.map((answer) => read<{ data: { id: number } }>(answer).data.id);
