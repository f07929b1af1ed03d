import type { Page } from 'playwright-core';
import { emailOf, type Scene } from './startScene.ts';

/** A picture of a page of the web application. */
interface PagePicture {
  /** The account that is logged in. */
  login: string;
  /** The whole page instead of the window. */
  isWhole?: boolean;
  /** Opens the page and waits for its content. */
  open(page: Page, scene: Scene): Promise<void>;
}

export const pagePictures: Record<string, PagePicture> = {
  table: {
    login: 'emmy',
    async open(page) {
      await openQuiz(page);
      await page.getByRole('tab', { name: 'All' }).click();
      await page.getByText('Évariste Galois').waitFor();
    },
  },
  desk: {
    login: 'emmy',
    async open(page) {
      await openQuiz(page);
      await page.getByRole('tab', { name: 'Graded', exact: true }).click();
      await page.getByText('Évariste Galois').click();
      await page.getByRole('region', { name: 'Answer sheet' }).locator('canvas').first().waitFor();
      await page.getByRole('checkbox', { checked: true }).first().waitFor();
    },
  },
  student: {
    login: 'ada',
    async open(page) {
      await page.getByText('Rings and ideals').first().waitFor();
    },
  },
  account: {
    login: 'ada',
    isWhole: true,
    async open(page, { baseUrl, callAs }) {
      const ada = await callAs('ada');
      const token = { name: 'Backup of my grades', scopes: ['courses:read', 'grades:read'] };
      await ada.call('POST', '/api/v3/me/tokens', token);
      await page.goto(`${baseUrl}/session/sso/school?link=1&next=%2Faccount`);
      for (const name of ['Single sign-on', 'Tokens for programs'])
        await page.getByRole('list', { name }).getByRole('listitem').first().waitFor();
    },
  },
  serviceAccounts: {
    login: 'admin',
    async open(page, { baseUrl, callAs }) {
      const admin = await callAs('admin');
      const { data } = await admin.call<{ data: { id: number }[] }>('GET', '/api/v3/admin/courses');
      const accounts = [
        { name: 'Student registry', scopes: ['users:read', 'users:write', 'import'] },
        { name: 'Grades export', scopes: ['courses:read', 'grades:read'], course_ids: [data[0]?.id] },
      ];
      for (const each of accounts) await admin.call('POST', '/api/v3/admin/service-accounts', each);
      await page.goto(`${baseUrl}/console/service-accounts`);
      await page.getByText('Student registry').waitFor();
    },
  },
  roster: {
    login: 'emmy',
    async open(page) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Courses' }).click();
      await page.getByRole('link', { name: 'Algebra' }).click();
      await page.getByRole('tab', { name: 'Students' }).click();
      await page.getByRole('button', { name: 'Enroll from a file' }).click();
      const dialog = page.getByRole('dialog', { name: 'Enroll students from a file' });
      const lines = ['name;email', `Ada Lovelace;${emailOf('ada')}`, `Leonhard Euler;${emailOf('leonhard')}`];
      const buffer = Buffer.from([...lines, 'Emil Artin;emil.artin', 'Ada Lovelace;'].join('\r\n'));
      await dialog
        .getByLabel('CSV file')
        .setInputFiles({ name: 'algebra.csv', mimeType: 'text/csv', buffer });
      await dialog.getByRole('button', { name: 'Check the file' }).click();
      await dialog.getByText('Line 4').waitFor();
    },
  },
};

async function openQuiz(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Grading' }).click();
  await page.getByRole('link', { name: 'Groups and symmetries' }).click();
  await page.getByRole('heading', { name: 'Groups and symmetries' }).waitFor();
}
