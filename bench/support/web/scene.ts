import type { HttpClient } from '@gradeway/test/httpClient';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium, launchOptions } from '../../../test/browser/chromium.ts';
import { sendForm } from '../school/sendUpload.ts';
import { type School, startSchool } from '../school/startSchool.ts';

export interface Account {
  email: string;
  password: string;
}

/** The whole system and a browser, with one user of each role. */
export interface WebScene {
  school: School;
  baseUrl: string;
  browser: Browser;
  instructor: Account;
  student: Account;
  administrator: Account;
  /** A page in a separate browser profile; without an account, no user is logged in. */
  openPage(as?: Account): Promise<Page>;
  stop(): Promise<void>;
}

const limitMs = 180_000;
export const viewport = { width: 1440, height: 900 };

export async function startScene(students: number): Promise<WebScene> {
  const executablePath = findChromium();
  const school = await startSchool({
    students,
    pdfBytes: 1_000,
    env: { LOGIN_LIMIT_PER_ADDRESS: '0', WEB_LIMIT_PER_MINUTE: '0' },
  });
  const { system, fixtures, courseId } = school;
  const instructor = await fixtures.newAccount({ role: 'instructor', first_name: 'Emmy' });
  await fixtures.assignInstructor(courseId, instructor);
  const student = await fixtures.newAccount();
  await fixtures.enroll(courseId, student);
  const browser = await chromium.launch(launchOptions(executablePath));
  return {
    school,
    baseUrl: system.baseUrl,
    browser,
    instructor,
    student,
    administrator: { email: system.adminEmail, password: system.adminPassword },
    async openPage(as) {
      const context = await browser.newContext({ viewport });
      // The limit only ends a run that can no longer succeed.
      context.setDefaultTimeout(limitMs);
      const page = await context.newPage();
      if (as) await logIn(page, system.baseUrl, as);
      return page;
    },
    async stop() {
      await browser.close();
      await school.stop();
    },
  };
}

export async function logIn(page: Page, baseUrl: string, { email, password }: Account): Promise<void> {
  await page.goto(`${baseUrl}/login`);
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(({ pathname }) => pathname !== '/login');
}

const mistakes = ['No base case', 'Wrong sign', 'No unit', 'Step missing', 'Not legible', 'Late'];
const rubric = {
  mode: 'subtract',
  max_points: 10,
  items: mistakes.map((text, index) => ({ points: index / 2, text })),
};

interface GradedQuiz {
  /** The number of submissions, by the school's first students. */
  count: number;
  pdfOf(index: number): Promise<Buffer>;
  /** Whether the rubric belongs to a question, the only one of the quiz. */
  isByQuestion?: boolean;
}

/** A quiz with a rubric and submissions. */
export async function newGradedQuiz(
  { school }: WebScene,
  { count, pdfOf, isByQuestion = false }: GradedQuiz,
): Promise<number> {
  const { system, fixtures, courseId, students } = school;
  const quizId = await fixtures.newQuiz(courseId, { title: `Scans of ${count} students` });
  for (const [index, { token }] of students.slice(0, count).entries()) {
    const target = { baseUrl: system.baseUrl, courseId, pdf: await pdfOf(index) };
    const { status, body } = await sendForm(target, { token, quizId });
    if (status !== 200) throw new Error(`an upload returned ${status}: ${body}`);
  }
  const admin = await fixtures.asAdmin();
  const quiz = `/api/v3/grading/quizzes/${quizId}`;
  const owner = isByQuestion ? `${quiz}/questions/${await addQuestion(admin, quiz)}` : quiz;
  const made = await admin.put(`${owner}/rubric`, rubric, { 'if-none-match': '*' });
  if (made.status !== 201) throw new Error(`saving the rubric returned ${made.status}`);
  return quizId;
}

async function addQuestion(admin: HttpClient, quiz: string): Promise<number> {
  const questions = [{ label: '1', max_points: rubric.max_points }];
  const { status, body } = await admin.put(`${quiz}/questions`, { questions }, { 'if-match': '*' });
  if (status !== 200) throw new Error(`saving the questions returned ${status}`);
  return body.data.questions[0].id;
}

/**
 * Opens the next submission of a quiz, and waits until its first page appears. `button` opens it from the page `tab`.
 */
export async function openDesk(
  page: Page,
  baseUrl: string,
  quizId: number,
  { tab = '', button = 'Grade next' } = {},
): Promise<void> {
  await page.goto(`${baseUrl}/grading/quizzes/${quizId}${tab}`);
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.locator('.page-canvas canvas').first().waitFor();
}
