import type { Page } from 'playwright-core';
import type { Row } from '../measuring/row.ts';
import { median, percentile, short } from '../measuring/statistics.ts';
import { openDesk, type WebScene } from './scene.ts';
import { timeOf, watchRequests, watchSheets } from './sheetTimes.ts';
import { slowDown, throttleNetwork } from './throttle.ts';

const phoneCpu = 4;
/** Prepared sheets at each of the two processor speeds, and sheets that are not prepared. */
const [preparedSheets, slowSheets, coldSheets] = [30, 10, 10];

/** The number of submissions that are needed. */
export const sheetsNeeded = preparedSheets + slowSheets + 2 * coldSheets + 10;

/** How long opening another sheet takes, from the key press until its first page and the form are painted. */
export async function measureNextSheet(scene: WebScene, quizId: number): Promise<Row[]> {
  const page = await scene.openPage(scene.instructor);
  await openDesk(page, scene.baseUrl, quizId);
  await watchSheets(page);
  const requests = watchRequests(page);
  const cold = await timesOfColdSheets(page, requests);
  await throttleNetwork(page);
  const { times, inputs } = await timesOfPrepared(page, requests, preparedSheets);
  await slowDown(page, phoneCpu);
  const slow = await timesOfPrepared(page, requests, slowSheets);
  await page.context().close();
  return [
    preparedRow({
      name: 'web.next',
      shown: 'the next sheet’s first page and form',
      times,
      addition: `; with a processor four times as slow median ${short(median(slow.times))} ms`,
    }),
    {
      name: 'web.next.cold',
      work: 'the same for a sheet of 3.6 MB that was not prepared, without a slow network: p95',
      against: '-',
      goal: { atMost: 700 },
      unit: 'ms',
      values: [percentile(cold, 95)],
      note: `${cold.length} sheets, median ${short(median(cold))} ms`,
    },
    {
      name: 'web.inp',
      work: 'grading by keys: the slowest answer to an input (INP)',
      against: '-',
      goal: { atMost: 50 },
      unit: 'ms',
      values: [percentile(inputs, 98)],
      note: `${inputs.length} inputs; the browser rounds to 8 ms`,
    },
  ];
}

/** The number of submissions that {@link measureNextAnswer} needs. */
export const answersNeeded = preparedSheets + 10;

/** How long the next student's answer to the same question takes. */
export async function measureNextAnswer(scene: WebScene, quizId: number): Promise<Row[]> {
  const page = await scene.openPage(scene.instructor);
  await openDesk(page, scene.baseUrl, quizId, { tab: '/questions', button: 'Grade question 1' });
  await watchSheets(page);
  const { times } = await timesOfPrepared(page, watchRequests(page), preparedSheets);
  await page.context().close();
  const shown = 'the next student’s answer to the same question and its form';
  return [preparedRow({ name: 'web.nextAnswer', shown, times })];
}

interface PreparedTimes {
  name: string;
  /** What is painted. */
  shown: string;
  times: number[];
  addition?: string;
}

const preparedRow = ({ name, shown, times, addition = '' }: PreparedTimes): Row => ({
  name,
  work: `a key until ${shown} are painted, neighbours prepared: p95`,
  against: '-',
  goal: { atMost: 50 },
  unit: 'ms',
  values: [percentile(times, 95)],
  note: `${times.length} sheets of 3.6 MB, median ${short(median(times))} ms, slowest ${short(Math.max(...times))} ms${addition}`,
});

type Requests = ReturnType<typeof watchRequests>;

/** Grades with an item of the rubric, and opens the next sheet once it is prepared. */
async function timesOfPrepared(page: Page, requests: Requests, count: number) {
  const times: number[] = [];
  await requests.settled();
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('1');
    await requests.settled();
    times.push(await timeOf(page, 'n'));
  }
  await requests.settled();
  const inputs = await page.evaluate(() => window.inputTimes.splice(0));
  return { times, inputs };
}

/** Opens the next sheet twice, the second time before anything could be prepared. */
async function timesOfColdSheets(page: Page, requests: Requests): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < coldSheets; index += 1) {
    await requests.settled();
    await timeOf(page, 'j');
    times.push(await timeOf(page, 'j'));
  }
  return times;
}
