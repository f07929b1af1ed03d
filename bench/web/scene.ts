import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { sendForm } from '../school/sendUpload.ts';
import { type School, startSchool } from '../school/startSchool.ts';

/** The whole system and a browser, with an instructor who grades. */
export interface WebScene {
  school: School;
  browser: Browser;
  /** A page that has logged in as the instructor, in a browser profile of its own. */
  openPage(as?: Account): Promise<Page>;
  instructor: Account;
  administrator: Account;
  stop(): Promise<void>;
}

export interface Account {
  email: string;
  password: string;
}

const executablePath = process.env.CHROME ?? '/usr/bin/chromium';

export async function startScene(students: number): Promise<WebScene> {
  if (!existsSync(executablePath))
    throw new Error(`No browser at ${executablePath}: install Chromium, or set CHROME`);
  const school = await startSchool({ students, pdfBytes: 1_000 });
  const { system, fixtures, courseId } = school;
  const instructor = await fixtures.newAccount({
    role: 'instructor',
    first_name: 'Emmy',
    last_name: 'Noether',
  });
  await fixtures.assignInstructor(courseId, instructor);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const openPage = async (as: Account = instructor) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    return logIn(context, system.baseUrl, as);
  };
  return {
    school,
    browser,
    openPage,
    instructor,
    administrator: { email: system.adminEmail, password: system.adminPassword },
    async stop() {
      await browser.close();
      await school.stop();
    },
  };
}

async function logIn(context: BrowserContext, baseUrl: string, { email, password }: Account): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${baseUrl}/login`);
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return page;
}

const rubric = {
  mode: 'subtract',
  max_points: 10,
  items: ['No base case', 'Wrong sign', 'No unit', 'Step missing', 'Not legible', 'Late'].map(
    (text, index) => ({
      points: index / 2,
      text,
    }),
  ),
};

/** A quiz with a rubric, to which the first students of the school have handed in what `pdfOf` makes. */
export async function newGradedQuiz(
  { school }: WebScene,
  count: number,
  pdfOf: (index: number) => Promise<Buffer>,
): Promise<number> {
  const { system, fixtures, courseId, students } = school;
  const quizId = await fixtures.newQuiz(courseId, { title: `Quiz of ${count}` });
  for (const [index, { token }] of students.slice(0, count).entries()) {
    const target = { baseUrl: system.baseUrl, courseId, pdf: await pdfOf(index) };
    const { status, body } = await sendForm(target, { token, quizId });
    if (status !== 200) throw new Error(`an upload was answered ${status}: ${body}`);
  }
  const admin = await fixtures.asAdmin();
  const made = await admin.put(`/api/v3/grading/quizzes/${quizId}/rubric`, rubric, { 'if-none-match': '*' });
  if (made.status !== 201) throw new Error(`the rubric was answered ${made.status}`);
  return quizId;
}

/** Opens the first submission of a quiz that is to be graded, and waits until its page is there. */
export async function openDesk(page: Page, baseUrl: string, quizId: number): Promise<void> {
  await page.goto(`${baseUrl}/grading/quizzes/${quizId}`);
  await page.getByRole('button', { name: 'Grade next' }).click();
  await page.locator('.page-canvas canvas').first().waitFor();
}
