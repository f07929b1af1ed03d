import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '@gradeway/test/processUsage';
import type { Row } from '../measuring/row.ts';
import { median, short } from '../measuring/statistics.ts';
import type { WebScene } from './scene.ts';
import { watchSheets } from './sheetTimes.ts';
import { UnwatchedTab } from './unwatchedTab.ts';

const megabyte = 1_000_000;
/** The minimum time that a grader looks at a sheet, during which the next one is prepared. */
const lookMs = 300;
const restMs = 1_500;
const samples = 20;

interface Memory {
  /** The size of JavaScript objects after a garbage collection. */
  heap: number;
  /** The resident memory of the tab's process, without the browser code that all tabs share. */
  resident: number;
  /**
   * The resident memory after garbage collection in the page and in pdf.js's worker. The worker's copies of files
   * make `resident` vary by half, depending on when its garbage was last collected.
   */
  retained: number;
}

/** Memory of a tab while a grader goes through many sheets. */
export async function measureTabMemory(scene: WebScene, quizId: number, sheets: number): Promise<Row[]> {
  const tab = await openDeskOf(scene, quizId);
  await watchSheets(tab);
  const measured: Memory[] = [];
  const every = Math.max(1, Math.floor(sheets / samples));
  for (let sheet = 1; sheet <= sheets; sheet += 1) {
    await sleep(lookMs);
    await tab.press('1');
    await tab.press('n');
    await tab.waitFor(`sheetTimes.length === ${sheet}`);
    if (sheet % every !== 0) continue;
    // Waits until the next sheet is prepared, because pictures being decoded take tens of megabytes.
    await sleep(restMs);
    measured.push(await memoryOfTab(scene, tab));
  }
  await tab.close();
  const megabytes = (kind: keyof Memory) => measured.map((each) => each[kind] / megabyte);
  const [resident, retained, heap] = [megabytes('resident'), megabytes('retained'), megabytes('heap')];
  // During the first samples, code is still being loaded and caches filled.
  const early = (values: number[]) => median(values.slice(samples / 10, (4 * samples) / 10));
  const late = (values: number[]) => median(values.slice(-(3 * samples) / 10));
  const trend = (values: number[]) =>
    `${short(early(values))} MB in the beginning, ${short(late(values))} MB at the end`;
  return [
    {
      name: 'web.memory',
      work: `resident memory of the tab, without the browser's code, while grading ${sheets} sheets: most`,
      against: '-',
      goal: { atMost: 400 },
      unit: 'MB',
      values: [Math.max(...resident)],
      note: `resident, with garbage, ${trend(resident)}; medians of ${(3 * samples) / 10} samples`,
    },
    {
      name: 'web.memory.growth',
      work: `resident memory after collecting garbage, in the last third of ${sheets} sheets`,
      against: 'the first third',
      goal: { atMost: 1.15 },
      values: [late(retained) / early(retained)],
      note: `after collecting ${trend(retained)}; JavaScript objects of the page ${trend(heap)}`,
    },
  ];
}

/** Logs in, and opens the next submission of a quiz. */
async function openDeskOf({ browser, baseUrl, instructor }: WebScene, quizId: number): Promise<UnwatchedTab> {
  const tab = await UnwatchedTab.open(browser, `${baseUrl}/login`);
  await tab.waitFor("document.querySelector('form')");
  await tab.type('[autocomplete~=username]', instructor.email);
  await tab.type('[type=password]', instructor.password);
  await tab.evaluate("document.querySelector('form').requestSubmit()");
  await tab.waitFor("location.pathname !== '/login'");
  await tab.evaluate(`location.assign('/grading/quizzes/${quizId}')`);
  const button =
    "[...document.querySelectorAll('button')].find((each) => each.textContent.startsWith('Grade next'))";
  await tab.waitFor(`${button}?.disabled === false`);
  await tab.evaluate(`${button}.click()`);
  await tab.waitFor("document.querySelector('.page-canvas canvas')");
  return tab;
}

async function memoryOfTab(scene: WebScene, tab: UnwatchedTab): Promise<Memory> {
  const resident = await residentMemory(scene);
  await tab.collectGarbage();
  const heap = (await tab.send('Runtime.getHeapUsage')).usedSize ?? Number.NaN;
  return { heap, resident, retained: await residentMemory(scene) };
}

async function residentMemory({ browser }: WebScene): Promise<number> {
  const all = await browser.newBrowserCDPSession();
  const { processInfo } = await all.send('SystemInfo.getProcessInfo');
  await all.detach();
  // The other tabs are closed; Chromium keeps one spare empty process.
  const tabs = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id).own);
  return Math.max(...tabs);
}
