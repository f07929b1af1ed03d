import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    sheetTimes: number[];
    inputTimes: number[];
  }
}

/**
 * Measures in the page how long it takes from a key press until another sheet's first page and form are painted: until
 * the frame that shows both has been rendered.
 */
export async function watchSheets(page: { evaluate(inPage: () => void): Promise<unknown> }): Promise<void> {
  await page.evaluate(() => {
    window.sheetTimes = [];
    window.inputTimes = [];
    const shown = () => {
      const form = document.querySelector('.desk-halves:not([style*="none"]) form');
      const desk = form?.closest('.desk-halves');
      return {
        name: desk?.querySelector('h1')?.textContent,
        canvas: desk?.querySelector('.sheet-page canvas'),
      };
    };
    const onKey = (event: KeyboardEvent) => {
      if (!['n', 'j', 'k'].includes(event.key)) return;
      const before = shown();
      const look = () => {
        const now = shown();
        if (!now.canvas || now.name === before.name || now.canvas === before.canvas) {
          requestAnimationFrame(look);
          return;
        }
        // A message sent while a frame is being rendered arrives once it has been painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.sheetTimes.push(performance.now() - event.timeStamp);
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown' || name === 'pointerdown' || name === 'click')
          window.inputTimes.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
}

/** Presses a key that leads to another sheet. Returns the milliseconds until the sheet was painted. */
export async function timeOf(page: Page, key: string): Promise<number> {
  const before = await page.evaluate(() => window.sheetTimes.length);
  await page.keyboard.press(key);
  await page.waitForFunction((count) => window.sheetTimes.length > count, before);
  return page.evaluate(() => window.sheetTimes.at(-1) ?? Number.NaN);
}

/** Counts the unfinished requests of a page, to detect when everything that is loaded ahead has arrived. */
export function watchRequests(page: Page): { settled(): Promise<void> } {
  let open = 0;
  let changedAt = Date.now();
  const change = (by: number) => () => {
    open += by;
    changedAt = Date.now();
  };
  page.on('request', change(1));
  page.on('requestfinished', change(-1));
  page.on('requestfailed', change(-1));
  return {
    async settled() {
      // The next sheets are rendered after the last response.
      while (open > 0 || Date.now() - changedAt < 1_500) await sleep(50);
    },
  };
}
