import { expect, test } from 'vitest';
import { cardOf, newCourseScene, newQuiz } from './courseScene.ts';
import { openAs } from './openWindow.ts';

// The school of this system is in UTC. Egypt and New York have daylight saving time in July.
const closing = 'Closes Jul 14, 2031, 4:00 PM UTC';

test.each([
  ['America/New_York', ' (your time: 12:00 PM)', ' Your time: 12:00 PM.'],
  ['Africa/Cairo', ' (your time: 7:00 PM)', ' Your time: 7:00 PM.'],
  ['Etc/UTC', '', ''],
])(
  "a teacher and a student with devices in %s see one closing time, in the school's zone",
  async (timeZone, own, ownHint) => {
    const scene = await newCourseScene();
    const quiz = await newQuiz(scene, { closes_at: '2031-07-14T18:00:00+02:00' });
    const [student = scene.teacher] = scene.students;
    const { page } = await openAs(scene.teacher, quiz.path, { timeZone });
    const state = page.getByRole('region', { name: 'State' });
    await state.getByText(`${closing}${own}`, { exact: true }).waitFor();
    const { page: studentPage } = await openAs(student, '/my', { timeZone });
    await cardOf(studentPage, quiz).getByText(`${closing}${own}`, { exact: true }).waitFor();
    await studentPage.getByText('All times are in the time zone of the school, UTC.').waitFor();

    // The form uses the same time zone, and names it.
    await page.getByRole('tab', { name: 'Settings' }).click();
    const closes = page.getByRole('form', { name: 'Settings' }).getByLabel('Closes', { exact: true });
    expect(await closes.inputValue()).toBe('2031-07-14T16:00');
    const hint = page.locator(`[id="${(await closes.getAttribute('aria-describedby')) ?? ''}"]`);
    expect((await hint.innerText()).replace(/\s/gu, ' ')).toBe(`Time zone: UTC.${ownHint}`);
  },
);
