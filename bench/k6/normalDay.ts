// The busiest hour of a normal day: students look at pages, log in and submit, and administrators list and grade.
// README.md has the commands.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { logIn, prepare, read, send } from './gateway.ts';
import { findSubmission, grade } from './grade.ts';
import { accountsOfDay, activeStudents, counters, normalDayOptions, pages, uploadsOfDay } from './options.ts';
import { addQuizzes, createSchool, deleteSchool, emailOf, groupOf, type School, times } from './school.ts';
import { readSettings } from './settings.ts';
import { summarize } from './summary.ts';
import { handIn } from './upload.ts';

const settings = readSettings(__ENV);
export const options = normalDayOptions(settings);
export const handleSummary = summarize('normal day', settings);

interface Day extends School {
  /** Tokens of the active students. */
  tokens: string[];
  /** Tokens of the graders. */
  graderTokens: string[];
}

const stored = new Counter(counters.stored);
const doubled = new Counter(counters.doubled);
const accounts = accountsOfDay(settings);
const active = activeStudents(settings);

export function setup(): Day {
  const school = createSchool(settings, accounts);
  // No student submits twice for the same quiz, because a graded submission can no longer be replaced.
  const rounds = Math.ceil(uploadsOfDay(settings) / active) + 1;
  for (let round = 0; round < rounds; round += 1) addQuizzes(settings, school);
  const tokenOf = (account: string) => {
    const token = logIn(settings, emailOf(school, account), school.password);
    if (token === undefined) throw new Error(`${account} cannot log in`);
    return token;
  };
  const tokens = times(active, (each) => tokenOf(`student-${each}`));
  const graderTokens = times(settings.graders, (each) => tokenOf(`grader-${each}`));
  const day = { ...school, tokens, graderTokens };
  // Provides something to grade from the first second.
  handInAs(day, 0, 0);
  return day;
}

export function page({ tokens }: Day): void {
  const number = exec.scenario.iterationInTest;
  const token = tokens[number % tokens.length] ?? '';
  send(settings, { request: pages[number % pages.length] ?? 'me', token });
}

export function login(day: Day): void {
  logIn(settings, emailOf(day, `student-${exec.scenario.iterationInTest % accounts}`), day.password);
}

export function upload(day: Day): void {
  // The first index belongs to setup().
  const number = exec.scenario.iterationInTest + 1;
  handInAs(day, number % active, Math.floor(number / active));
}

export function grading(day: Day): void {
  const token = day.graderTokens[exec.scenario.iterationInTest % day.graderTokens.length] ?? '';
  const submissionId = findSubmission(settings, day, token);
  if (submissionId !== undefined) grade(settings, token, submissionId);
}

export function teardown(day: Day): void {
  const quizzes = day.groups.flatMap(({ quizIds }) => quizIds);
  for (const id of quizzes) {
    const [answer] = prepare(settings, [{ request: 'quiz', ids: [id], token: day.adminToken }]);
    if (!answer) continue;
    const { submissions } = read<{ data: { submissions: { student_name: string }[] } }>(answer).data;
    stored.add(submissions.length);
    doubled.add(submissions.length - new Set(submissions.map(({ student_name: name }) => name)).size);
  }
  deleteSchool(settings, day);
}

function handInAs(day: Day, student: number, round: number): void {
  const group = day.groups[groupOf(student)];
  const [token, quizId] = [day.tokens[student], group?.quizIds[round]];
  if (!group || token === undefined || quizId === undefined)
    throw new Error(`student ${student} has no quiz for upload ${round}`);
  handIn(settings, { token, courseId: group.courseId, quizId });
}
