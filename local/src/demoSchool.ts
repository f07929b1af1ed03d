import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, logIn } from './apiClient.ts';
import { accountCount, createAccounts } from './demo/accounts.ts';
import { closePastItems, createCourses } from './demo/courses.ts';
import { examByQuestion, examStepCount } from './demo/examByQuestion.ts';
import { gradeSome, gradingCount } from './demo/gradings.ts';
import { emailOf, instructors, students } from './demo/people.ts';
import { runCourse, stepCount } from './demo/runCourse.ts';
import { handInAll, submissionCount } from './demo/submissions.ts';
import { ProgressBar } from './progressBar.ts';
import type { Secrets } from './secrets.ts';

export interface DemoAccount {
  label: string;
  email: string;
  password: string;
}

interface Options {
  baseUrl: string;
  directory: string;
  secrets: Secrets;
  print(line: string): void;
}

const markerOf = (directory: string) => join(directory, 'demo-school.json');

const accountsOf = ({ demoPassword: password }: Secrets): DemoAccount[] =>
  [...instructors, ...students.slice(0, 2)].map((person) => ({
    label: instructors.includes(person) ? 'instructor' : 'student',
    email: emailOf(person),
    password,
  }));

/** Returns the accounts to try if the demo school was loaded. An earlier version may have loaded fewer. */
export async function demoAccounts(directory: string, secrets: Secrets): Promise<DemoAccount[]> {
  const text = await readFile(markerOf(directory), 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const loaded: string[] = JSON.parse(text).accounts;
  return accountsOf(secrets).filter(({ email }) => loaded.includes(email));
}

/**
 * Loads a small school into an empty installation, through the gateway and with real PDFs, as a school's client would.
 * Returns the accounts to try, even if the school was loaded before.
 */
export async function loadDemoSchool({
  baseUrl,
  directory,
  secrets,
  print,
}: Options): Promise<DemoAccount[]> {
  const accounts = accountsOf(secrets);
  const rememberAccounts = () =>
    writeFile(markerOf(directory), `${JSON.stringify({ accounts: accounts.map(({ email }) => email) })}\n`);
  try {
    const loaded = await demoAccounts(directory, secrets);
    if (loaded.length > 0) return loaded;
    const password = secrets.adminPassword;
    const admin = await logIn(baseUrl, secrets.adminEmail, password);
    const courses = await admin.call<{ meta: { total: number } }>('GET', '/api/v3/admin/courses');
    if (courses.meta.total > 0) return [];
    // An installation may require reauthentication to create accounts (`REAUTHENTICATION`).
    await admin.call('POST', '/api/v3/reauthenticate', { password });
    await loadSchool({ admin, baseUrl, password: secrets.demoPassword, rememberAccounts });
    return accounts;
  } catch (error) {
    print(`The demo school could not be loaded: ${(error as Error).message}`);
    return [];
  }
}

interface School {
  admin: ApiClient;
  baseUrl: string;
  password: string;
  rememberAccounts(): Promise<void>;
}

async function loadSchool({ admin, baseUrl, password, rememberAccounts }: School): Promise<void> {
  using bar = new ProgressBar('Loading the demo school', 'steps');
  let done = 0;
  const onDone = () => {
    done += 1;
    bar.show(done, accountCount + submissionCount + gradingCount + stepCount + examStepCount);
  };

  const accounts = await createAccounts({ admin, baseUrl, password, onDone });
  // Before the rest, so that the accounts are announced even if the rest is interrupted.
  await rememberAccounts();
  const items = await createCourses(admin, accounts);
  await handInAll(items, accounts.students, onDone);
  await gradeSome(items, accounts, onDone);
  await closePastItems(admin, items);
  await runCourse(items, accounts, onDone);
  await examByQuestion(items, accounts, onDone);
}
