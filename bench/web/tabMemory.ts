import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '@gradeway/test/processUsage';
import type { Page } from 'playwright-core';
import type { Row } from '../measuring/row.ts';
import { short } from '../measuring/statistics.ts';
import { openDesk, type WebScene } from './scene.ts';
import { timeOf, watchSheets } from './sheetTimes.ts';

const megabyte = 1_000_000;
/** A grader looks at each sheet for so long at least: the next is prepared meanwhile. */
const lookMs = 300;

interface Memory {
  /** Of the objects of JavaScript, after collecting garbage. */
  heap: number;
  /** Resident, of the process of the tab, without the code of the browser that all its tabs share. */
  resident: number;
}

/** Memory of a tab while one goes through many sheets. */
export async function measureTabMemory(scene: WebScene, quizId: number, sheets: number): Promise<Row[]> {
  const page = await scene.openPage(scene.instructor);
  await openDesk(page, scene.baseUrl, quizId);
  await watchSheets(page);
  const measured: Memory[] = [];
  const every = Math.max(1, Math.floor(sheets / 10));
  for (let sheet = 1; sheet <= sheets; sheet += 1) {
    await sleep(lookMs);
    await page.keyboard.press('1');
    await timeOf(page, 'n');
    if (sheet % every === 0) measured.push(await memoryOfTab(scene, page));
  }
  await page.context().close();
  const resident = measured.map((each) => each.resident / megabyte);
  const heap = measured.map((each) => each.heap / megabyte);
  // The first tenth still loads code and fills caches.
  const after = (values: number[]) =>
    `${short(values[1] ?? 0)} MB after a fifth, ${short(values.at(-1) ?? 0)} MB at the end`;
  return [
    {
      name: 'web.memory',
      work: `resident memory of the tab, without the browser's code, while grading ${sheets} sheets: most`,
      against: '-',
      goal: { atMost: 400 },
      unit: 'MB',
      values: [Math.max(...resident)],
      note: `resident ${after(resident)}; objects ${after(heap)}`,
    },
    {
      name: 'web.memory.growth',
      work: `the same after ${sheets} sheets`,
      against: 'a fifth of them',
      goal: { atMost: 1.15 },
      values: [(resident.at(-1) ?? 0) / (resident[1] ?? 1)],
    },
  ];
}

async function memoryOfTab({ browser }: WebScene, page: Page): Promise<Memory> {
  const tab = await page.context().newCDPSession(page);
  await tab.send('HeapProfiler.collectGarbage');
  const heap = (await tab.send('Runtime.getHeapUsage')).usedSize;
  await tab.detach();
  const all = await browser.newBrowserCDPSession();
  const { processInfo } = await all.send('SystemInfo.getProcessInfo');
  await all.detach();
  // The other tabs are closed; Chromium keeps one empty process ahead.
  const tabs = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id).own);
  return { heap, resident: Math.max(...tabs) };
}
