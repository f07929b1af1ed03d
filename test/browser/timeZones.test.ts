import type { Fixtures } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { plainPdf } from '@gradeway/test/plainPdf';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearField } from './clearField.ts';
import { createFixtures } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { handIn, newQuizOf, newStudentScene } from './studentScene.ts';

// A school in Cairo, which has daylight saving time. The system of the other tests is in UTC, the default.
const cairo = 'Africa/Cairo';
const newYork = 'America/New_York';
const devices = [newYork, cairo, 'Pacific/Auckland'];

let system: LocalSystem;
let fixtures: Fixtures;
beforeAll(async () => {
  system = await startLocalSystem({ APP_TIMEZONE: cairo, RATE_LIMIT_PER_MINUTE: '0' });
  fixtures = createFixtures({ ...system, isLocal: true });
});
afterAll(() => system.remove());

const cardOf = (page: Page, { title }: { title: string }) => page.getByRole('article', { name: title });
const titlesIn = (page: Page, section: string) =>
  page
    .getByRole('region', { name: section, exact: true })
    .getByRole('heading', { level: 3 })
    .allTextContents();
const minute = 60_000;
const sheet = () => ({
  name: 'answers.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(plainPdf([{}])),
});

/** Formats a moment as an English page does, in a given time zone. */
const written = (moment: Date, timeZone: string, parts: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...parts, timeZone }).format(moment).replace(/\s/gu, ' ');
const whole = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const;
const named = { ...whole, timeZoneName: 'short' } as const;

/** Returns the number of minutes by which a zone is ahead of UTC. */
const offsetOf = (moment: Date, timeZone: string): number => {
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Math.round((Date.parse(`${wall.format(moment)}Z`) - moment.getTime()) / minute);
};

/** Returns the first full day on which a zone's UTC offset differs from the current one. */
function daysUntilClockChange(timeZone: string): number {
  const now = offsetOf(new Date(), timeZone);
  for (let days = 1; ; days += 1)
    if (offsetOf(new Date(Date.now() + days * 1_440 * minute), timeZone) !== now) return days;
}

describe('open and upcoming work', () => {
  test.each(devices)('the server decides which work is open, on a device in %s', async (timeZone) => {
    const { student, courseId, quiz } = await newStudentScene(fixtures);
    // The margins are minutes, while zones differ by hours.
    const [soon, ending, over] = await Promise.all([
      newQuizOf(courseId, { opens: 30, closes: 600 }, fixtures),
      newQuizOf(courseId, { opens: -600, closes: 30 }, fixtures),
      newQuizOf(courseId, { opens: -600, closes: -30 }, fixtures),
    ]);
    const { page } = await openAs(student, '/my', { baseUrl: system.baseUrl, timeZone });
    await cardOf(page, quiz).waitFor();
    const open = await titlesIn(page, 'To hand in');
    expect(open).toEqual(expect.arrayContaining([quiz.title, ending.title]));
    expect([await titlesIn(page, 'Coming up'), await titlesIn(page, 'Missed')]).toEqual([
      [soon.title],
      [over.title],
    ]);
    expect(await cardOf(page, ending).getByRole('timer').textContent()).toMatch(/^(29:\d\d|30:00)$/);
  });

  test.each([cairo, newYork])(
    'open work is correct for a closing time after a clock change in %s',
    async (timeZone) => {
      const { student, courseId } = await newStudentScene(fixtures);
      const closes = daysUntilClockChange(timeZone) * 1_440 + 300;
      const quiz = await newQuizOf(courseId, { closes }, fixtures);
      const later = await newQuizOf(courseId, { opens: 30, closes }, fixtures);
      const closesAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 + closes * minute);
      const { page } = await openAs(student, '/my', { baseUrl: system.baseUrl, timeZone });
      await cardOf(page, quiz).waitFor();
      expect(await titlesIn(page, 'To hand in')).toContain(quiz.title);
      expect(await titlesIn(page, 'Coming up')).toEqual([later.title]);
      const shown = (await cardOf(page, quiz).locator('.facts').textContent()) ?? '';
      // The quiz was created a few seconds ago.
      const possible = [0, 1].map((before) =>
        written(new Date(closesAt.getTime() - before * minute), cairo, named),
      );
      expect(possible.some((time) => shown.replace(/\s/gu, ' ').includes(`Closes ${time}`))).toBe(true);
    },
  );

  test("open work changes without a reload, whatever the device's clock shows", async () => {
    const { student, courseId, quiz } = await newStudentScene(fixtures);
    const soon = await newQuizOf(courseId, { opens: 10 / 60, closes: 600 }, fixtures);
    const { page } = await openAs(student, '/login', { baseUrl: system.baseUrl, timeZone: newYork });
    // The device's clock is a day ahead and stopped.
    await page.addInitScript('{ const wrong = Date.now() + 86_400_000; Date.now = () => wrong; }');
    await page.goto('/my');
    await cardOf(page, quiz).waitFor();
    await expect.poll(() => titlesIn(page, 'To hand in')).toContain(soon.title);
    await cardOf(page, soon).getByRole('link', { name: 'Open the questions' }).waitFor();
  });

  test('a rejected upload to an upcoming quiz says that it is not open yet', async () => {
    const { student, courseId } = await newStudentScene(fixtures);
    const quiz = await newQuizOf(courseId, {}, fixtures);
    const { page, watch } = await openAs(student, '/my', { baseUrl: system.baseUrl });
    await cardOf(page, quiz).getByLabel('Answer sheet').waitFor();
    // The quiz is postponed while the page is open.
    const opens_at = `${new Date(Date.now() + 60 * minute).toISOString().slice(0, 19)}Z`;
    const admin = await fixtures.asAdmin();
    expect((await admin.patch(`/api/v3/quiz/pdf-quizzes/${quiz.id}`, { opens_at })).status).toBe(200);
    watch.expectFailure(403, /\/quiz\/submit-pdf$/);
    await handIn(cardOf(page, quiz), sheet());
    await cardOf(page, quiz).getByRole('alert').getByText('This quiz is not open yet').waitFor();
    expect(await titlesIn(page, 'Coming up')).toEqual([quiz.title]);
  });
});

describe('a deadline', () => {
  test("a deadline entered in New York is shown in Cairo in the school's time zone", async () => {
    const { student, courseId, courseTitle, quiz } = await newStudentScene(fixtures);
    const admin = await fixtures.newAccount({ role: 'admin' });
    const { page } = await openAs(admin, `/console/courses/${courseId}`, {
      baseUrl: system.baseUrl,
      timeZone: newYork,
    });
    await page.getByRole('heading', { name: courseTitle, level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'Quizzes' }).click();
    await page.getByRole('button', { name: `Edit ${quiz.title}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the quiz' });
    const closes = dialog.getByLabel('Closes');
    // The form shows the stored time in the school's time zone.
    const { data } = (await (await fixtures.asAdmin()).get(`/api/v3/grading/quizzes?course_id=${courseId}`))
      .body;
    const stored = new Date(data.find(({ id }: { id: number }) => id === quiz.id).closes_at);
    expect(await closes.inputValue()).toBe(
      new Date(stored.getTime() + offsetOf(stored, cairo) * minute).toISOString().slice(0, 16),
    );
    await closes.fill('2031-07-14T16:00');
    const hint = dialog.getByText('Time zone: Africa/Cairo. Your time: 9:00 AM.');
    await hint.waitFor();
    expect(await closes.getAttribute('aria-describedby')).toContain(await hint.getAttribute('id'));
    const ownTimes = dialog.getByText(/Your time: /);
    expect(await ownTimes.count()).toBe(2);
    await clearField(dialog, 'Opens');
    await expect.poll(() => ownTimes.count()).toBe(1);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Jul 14, 2031, 4:00 PM GMT+3 (your time: 9:00 AM)').waitFor();

    for (const [timeZone, text] of [
      [cairo, 'Closes Jul 14, 2031, 4:00 PM GMT+3'],
      [newYork, 'Closes Jul 14, 2031, 4:00 PM GMT+3 (your time: 9:00 AM)'],
    ] as const) {
      const { page: own } = await openAs(student, '/my', { baseUrl: system.baseUrl, timeZone });
      await cardOf(own, quiz).getByText(text, { exact: true }).waitFor();
      await own.getByText('All times are in the time zone of the school, Africa/Cairo.').waitFor();
    }
  });
});

test("all dates of a graded submission and its receipt are in the school's time zone", async () => {
  const { student, quiz } = await newStudentScene(fixtures);
  const { page } = await openAs(student, '/my', { baseUrl: system.baseUrl, timeZone: newYork });
  await handIn(cardOf(page, quiz), sheet());
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText(/:\d\d [AP]M GMT\+[23]$/).waitFor();
  await receipt.getByText(/^\(your time: /).waitFor();
  const { data } = (await student.get('/api/v3/quiz/submissions')).body;
  const admin = await fixtures.asAdmin();
  const grading = `/api/v3/grading/quizzes/submissions/${data[0].id}`;
  expect((await admin.put(grading, { grade: 7 }, { 'if-match': '*' })).status).toBe(200);
  await page.goto(`/my/submissions/quizzes/${data[0].id}`);
  await page.getByText(/^Graded .* GMT\+[23] \(your time: .*\)$/).waitFor();
  await page.getByText(/^Handed in .* GMT\+[23] \(your time: .*\)$/).waitFor();
});

describe('the overview of the console', () => {
  const open = async (own: Fixtures, baseUrl?: string) => {
    const admin = await own.newAccount({ role: 'admin' });
    const { page } = await openAs(admin, '/console', baseUrl === undefined ? {} : { baseUrl });
    return page;
  };
  const warning = /set APP_TIMEZONE/;

  test("the console's overview names the school's time zone", async () => {
    const page = await open(fixtures, system.baseUrl);
    await page.getByText('Time zone of the school: Africa/Cairo').waitFor();
    expect(await page.getByText(warning).count()).toBe(0);
  });

  test("the console's overview warns about the default time zone", async () => {
    const page = await open(createFixtures());
    await page.getByText('Time zone of the school: UTC').waitFor();
    await page.getByText(warning).waitFor();
  });
});

test('the first output names the time zone', () => {
  expect(system.output()).toContain('Time zone of the school: Africa/Cairo');
});
