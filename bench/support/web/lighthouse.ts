import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gradeway/local/ports';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromium } from 'playwright-core';
import { findChromium, launchOptions } from '../../../test/browser/chromium.ts';
import type { Row } from '../measuring/row.ts';
import { median } from '../measuring/statistics.ts';
import type { WebPage } from './pages.ts';
import { logIn, type WebScene } from './scene.ts';

const categories = { performance: 98, accessibility: 100, 'best-practices': 100 } as const;

type Category = keyof typeof categories;
type Points = Record<Category, number>;
type Scores = { name: string } & Points;

const byCategory = (pointsOf: (category: Category) => number) =>
  Object.fromEntries(Object.keys(categories).map((each) => [each, pointsOf(each as Category)])) as Points;

/** The lowest of Lighthouse's scores of all pages. */
export async function measureScores(scene: WebScene, pages: WebPage[]): Promise<Row[]> {
  const scores: Scores[] = [];
  for (const page of pages) scores.push(await scoresOf(scene, page));
  return (Object.entries(categories) as [Category, number][]).map(([category, goal]) => {
    const below = scores.filter((each) => each[category] < goal);
    return {
      name: `web.lighthouse.${category}`,
      work: `Lighthouse’s ${category} of ${pages.length} pages, the median of three: the lowest; phones for students, computers for the others`,
      against: '-',
      goal: { atLeast: goal },
      unit: 'points',
      values: [Math.min(...scores.map((each) => each[category]))],
      note: below.map((each) => `${each.name} ${each[category]}`).join(', '),
    };
  });
}

/**
 * The median of three measurements, as Lighthouse recommends: a score depends on other load on the machine. A
 * measurement without a result is repeated.
 */
async function scoresOf(scene: WebScene, page: WebPage): Promise<Scores> {
  const measured: Points[] = [];
  for (let attempt = 1; measured.length < 3; attempt += 1) {
    if (attempt > 6) throw new Error(`Lighthouse could not measure ${page.name}`);
    const scores = await measureScoresOf(scene, page);
    if (scores) measured.push(scores);
  }
  return { name: page.name, ...byCategory((category) => median(measured.map((each) => each[category]))) };
}

/** Lighthouse opens a separate tab in the profile in which a user has logged in. Returns no result if there is no score. */
async function measureScoresOf(scene: WebScene, { path, as, device }: WebPage): Promise<Points | undefined> {
  const profile = await mkdtemp(join(tmpdir(), 'gradeway-lighthouse-'));
  const port = await freePort();
  const launch = launchOptions(findChromium());
  const context = await chromium.launchPersistentContext(profile, {
    ...launch,
    args: [...(launch.args ?? []), `--remote-debugging-port=${port}`],
  });
  try {
    if (as) await logIn(await context.newPage(), scene.baseUrl, as);
    const flags = {
      port,
      disableStorageReset: true,
      logLevel: 'error' as const,
      onlyCategories: Object.keys(categories),
    };
    const result = await lighthouse(
      scene.baseUrl + path,
      flags,
      device === 'computer' ? desktopConfig : undefined,
    );
    const found = result?.lhr.categories ?? {};
    const scores = byCategory((category) => Math.round((found[category]?.score ?? Number.NaN) * 100));
    return Object.values(scores).includes(Number.NaN) ? undefined : scores;
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}
