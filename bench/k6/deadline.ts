// A deadline: students log in and submit within a few seconds, at a rate that rises towards the end, while graders list and
// grade. README.md has the commands.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { logIn, prepare, read, sleepUntil } from './gateway.ts';
import { findSubmission, grade } from './grade.ts';
import { counters, deadlineOptions } from './options.ts';
import { addQuizzes, createSchool, deleteSchool, emailOf, groupOf, type School } from './school.ts';
import { readSettings } from './settings.ts';
import { summarize } from './summary.ts';
import { handIn } from './upload.ts';

const settings = readSettings(__ENV);
export const options = deadlineOptions(settings);
export const handleSummary = summarize('deadline', settings);

interface Exam extends School {
  /** When the first students submit, on this machine's clock. */
  startsAt: number;
  closesAt: number;
}

const stored = new Counter(counters.stored);
const doubled = new Counter(counters.doubled);
// Creating a quiz uses part of the time reserved for logins.
const perQuizMs = 200;
const readingSeconds = 0.2;

export function setup(): Exam {
  const school = createSchool(settings, settings.students);
  const { loginSeconds, windowSeconds, graceSeconds } = settings;
  const startsAt = Date.now() + loginSeconds * 1_000 + school.groups.length * perQuizMs;
  const closesAt = startsAt + (windowSeconds + graceSeconds) * 1_000;
  addQuizzes(settings, school, closesAt);
  return { ...school, startsAt, closesAt };
}

/** One student. Each virtual user is a different student. */
export function student(exam: Exam): void {
  const { students, loginSeconds, windowSeconds } = settings;
  const number = exec.scenario.iterationInTest;
  const share = number / students;
  // The last seconds are reserved for logins that have to wait.
  sleep(share * loginSeconds * 0.8);
  const token = logIn(settings, emailOf(exam, `student-${number}`), exam.password);
  if (token === undefined) return;
  sleepUntil(exam.startsAt + windowSeconds * 1_000 * Math.sqrt(share));
  const group = exam.groups[groupOf(number)];
  if (!group) throw new Error(`student ${number} has no course`);
  const [quizId = 0] = group.quizIds;
  handIn(settings, { token, courseId: group.courseId, quizId, closesAt: exam.closesAt });
}

let graderToken: string | undefined;

export function grader(exam: Exam): void {
  const number = exec.scenario.iterationInTest % settings.graders;
  graderToken ??= logIn(settings, emailOf(exam, `grader-${number}`), exam.password);
  if (graderToken === undefined) {
    sleep(1);
    return;
  }
  const submissionId = findSubmission(settings, exam, graderToken);
  sleep(readingSeconds);
  if (submissionId === undefined) return;
  grade(settings, graderToken, submissionId);
  sleep(readingSeconds);
}

export function teardown(exam: Exam): void {
  const quizzes = exam.groups.flatMap(({ quizIds }) => quizIds);
  const ask = (id: number) => ({ request: 'quiz' as const, ids: [id], token: exam.adminToken });
  for (const answer of prepare(settings, quizzes.map(ask))) {
    const { submissions } = read<{ data: { submissions: { student_name: string }[] } }>(answer).data;
    stored.add(submissions.length);
    // Every student has a different name.
    doubled.add(submissions.length - new Set(submissions.map(({ student_name: name }) => name)).size);
  }
  deleteSchool(settings, exam);
}
