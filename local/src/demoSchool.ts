import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, logIn } from './apiClient.ts';
import { gradeFirst } from './demoGrading.ts';
import { makePdf } from './demoPdf.ts';
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

interface Person {
  first_name: string;
  last_name: string;
  role: 'user' | 'instructor';
}

const instructor: Person = { first_name: 'Emmy', last_name: 'Noether', role: 'instructor' };
const students: Person[] = [
  { first_name: 'Ada', last_name: 'Lovelace', role: 'user' },
  { first_name: 'Évariste', last_name: 'Galois', role: 'user' },
  { first_name: 'Sofya', last_name: 'Kovalevskaya', role: 'user' },
];

const emailOf = ({ first_name }: Person) =>
  `${first_name
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()}@demo.gradeway.local`;

const markerOf = (directory: string) => join(directory, 'demo-school.json');

const accountsOf = ({ demoPassword: password }: Secrets): DemoAccount[] =>
  [instructor, ...students.slice(0, 2)].map((person) => ({
    label: person.role === 'user' ? 'student' : person.role,
    email: emailOf(person),
    password,
  }));

/** The accounts to try, if the demo school was loaded. */
export async function demoAccounts(directory: string, secrets: Secrets): Promise<DemoAccount[]> {
  const loaded = await stat(markerOf(directory)).catch(() => undefined);
  return loaded ? accountsOf(secrets) : [];
}

/**
 * Loads a small school into an empty installation, through the gateway and with real PDFs, as a school's client would.
 * Returns the accounts to try, also when it was loaded before.
 */
export async function loadDemoSchool({
  baseUrl,
  directory,
  secrets,
  print,
}: Options): Promise<DemoAccount[]> {
  const accounts = accountsOf(secrets);
  try {
    if ((await demoAccounts(directory, secrets)).length > 0) return accounts;
    const admin = await logIn(baseUrl, secrets.adminEmail, secrets.adminPassword);
    const courses = await admin.call<{ meta: { total: number } }>('GET', '/api/v3/admin/courses');
    if (courses.meta.total > 0) return [];
    print('Loading the demo school…');
    await loadSchool(admin, baseUrl, secrets.demoPassword);
    await writeFile(
      markerOf(directory),
      `${JSON.stringify({ accounts: accounts.map(({ email }) => email) })}\n`,
    );
    return accounts;
  } catch (error) {
    print(`The demo school could not be loaded: ${(error as Error).message}`);
    return [];
  }
}

async function loadSchool(admin: ApiClient, baseUrl: string, password: string): Promise<void> {
  const addUser = (person: Person) =>
    admin.create('/api/v3/admin/users', { ...person, email: emailOf(person), password, is_verified: true });
  const instructorId = await addUser(instructor);
  const ids: number[] = [];
  for (const student of students) ids.push(await addUser(student));

  const algebra = await admin.create('/api/v3/admin/courses', {
    title: 'Algebra',
    description: 'Groups, rings, fields',
  });
  const analysis = await admin.create('/api/v3/admin/courses', { title: 'Analysis' });
  await admin.call('PUT', `/api/v3/admin/courses/${algebra}/instructors/${instructorId}`);
  for (const [index, id] of ids.entries()) {
    await admin.call('PUT', `/api/v3/admin/courses/${algebra}/students/${id}`, { paid: true });
    await admin.call('PUT', `/api/v3/admin/courses/${analysis}/students/${id}`, { paid: index === 0 });
  }

  const groups = await admin.create(`/api/v3/admin/courses/${algebra}/classes`, { title: 'Groups' });
  await admin.create(`/api/v3/admin/courses/${algebra}/classes`, { title: 'Rings' });
  const sheet = await pdf('Exercises: groups', ['1. Show that every group of prime order is cyclic.']);
  await admin.call(
    'PUT',
    `/api/v3/admin/homeworks/${groups}`,
    form(sheet, 'file', { assignment_deadline: localTime(14), assignment_description: 'Hand in one PDF.' }),
  );
  const questions = await pdf('Quiz: first steps', ['1. What is a group?', '2. Give an example.']);
  const quizFields = {
    title: 'First steps',
    course_id: String(algebra),
    questions_count_of_quiz_pdf: '2',
    total_grade_for_quiz_pdf: '10',
  };
  const quiz = await admin.create('/api/v3/quiz/pdf-quizzes', form(questions, 'file', quizFields));

  for (const student of students.slice(0, 2)) {
    const client = await logIn(baseUrl, emailOf(student), password);
    const answers = await pdf(`Answers of ${student.first_name}`, [
      '1. A set with an operation…',
      '2. The integers.',
    ]);
    const attempt = {
      course_id: String(algebra),
      quiz_id: String(quiz),
      duration: '45',
      start_at: localTime(0),
    };
    await client.call('POST', '/api/v3/quiz/submit-pdf', form(answers, 'file', attempt));
    await client.call('POST', `/api/v3/homeworks/${groups}/submissions`, form(answers, 'files', {}));
  }
  await gradeFirst(await logIn(baseUrl, emailOf(instructor), password), quiz);
}

const localTime = (daysFromNow: number) =>
  `${new Date(Date.now() + daysFromNow * 86_400_000).toISOString().slice(0, 19)}Z`;

async function pdf(title: string, lines: string[]): Promise<{ name: string; content: Blob }> {
  return {
    name: `${title}.pdf`,
    content: new Blob([await makePdf(title, { lines })], { type: 'application/pdf' }),
  };
}

function form(
  file: { name: string; content: Blob },
  field: string,
  fields: Record<string, string>,
): FormData {
  const data = new FormData();
  // The fields first: they let the service refuse an upload before the file is sent.
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append(field, file.content, file.name);
  return data;
}
