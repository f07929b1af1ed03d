import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { Row } from '../measuring/row.ts';
import { short } from '../measuring/statistics.ts';
import type { WebPage } from './pages.ts';
import type { WebScene } from './scene.ts';
import { forgetCache, throttleNetwork } from './throttle.ts';

interface Load {
  name: string;
  /** The JavaScript without pdf.js, compressed with gzip, in kB. */
  script: number;
  /** When the largest content was painted, and how much the layout has shifted. */
  lcp: number;
  cls: number;
}

/** Measures how much is loaded before a page can be used, and how long that takes. */
export async function measureFirstLoad(scene: WebScene, pages: WebPage[]): Promise<Row[]> {
  const loads: Load[] = [];
  for (const page of pages) loads.push(await load(scene, page));
  const of = (...names: string[]) => loads.filter(({ name }) => names.includes(name));
  const list = (values: Load[], field: 'script' | 'lcp' | 'cls') =>
    values.map((each) => `${each.name} ${short(each[field])}`).join(', ');
  const scripts = (name: string, goal: number, found: Load[]): Row => ({
    name: `web.script.${name}`,
    work: `JavaScript that the first page of a ${name} loads, gzip, without pdf.js`,
    against: '-',
    goal: { atMost: goal },
    unit: 'kB',
    values: [Math.max(...found.map(({ script }) => script))],
    note: list(found, 'script'),
  });
  return [
    scripts('student', 150, of('login', 'my')),
    scripts('grader', 250, of('desk')),
    {
      name: 'web.lcp',
      work: 'loading a page through a network as Lighthouse’s of a computer: largest contentful paint, slowest page',
      against: '-',
      goal: { atMost: 1_000 },
      unit: 'ms',
      values: [Math.max(...loads.map(({ lcp }) => lcp))],
      note: list(loads, 'lcp'),
    },
    {
      name: 'web.cls',
      work: 'the same: layout shift, page that shifts most',
      against: '-',
      goal: { atMost: 0 },
      values: [Math.max(...loads.map(({ cls }) => cls))],
      note: list(
        loads.filter(({ cls }) => cls > 0),
        'cls',
      ),
    },
  ];
}

async function load(scene: WebScene, { name, path, as }: WebPage): Promise<Load> {
  const first = await scene.openPage(as);
  // Another tab, with the session cookie.
  const page = await first.context().newPage();
  await first.close();
  await forgetCache(page);
  await throttleNetwork(page);
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  await page.goto(scene.baseUrl + path, { waitUntil: 'networkidle' });
  // The last elements may be painted after the last response.
  await sleep(500);
  const vitals = await vitalsOf(page);
  await page.context().close();
  const sizes = await Promise.all([...scripts].filter((url) => !/\/pdf[.-]/.test(url)).map(compressedSize));
  return { name, script: sizes.reduce((sum, size) => sum + size, 0) / 1_000, ...vitals };
}

const compressedSize = async (url: string): Promise<number> =>
  gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;

const vitalsOf = (page: Page): Promise<{ lcp: number; cls: number }> =>
  page.evaluate(() => {
    const entries = (type: string) =>
      new Promise<PerformanceEntryList>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
        observer.observe({ type, buffered: true });
        // An observer is not called when there is nothing to report.
        setTimeout(() => resolve([]), 200);
      });
    return Promise.all([entries('largest-contentful-paint'), entries('layout-shift')]).then(
      ([paints, shifts]) => ({
        lcp: paints.at(-1)?.startTime ?? Number.NaN,
        cls: shifts.reduce((sum, shift) => sum + (shift as PerformanceEntry & { value: number }).value, 0),
      }),
    );
  });
