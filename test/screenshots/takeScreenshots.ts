import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startLocalSystem } from '@gradeway/test/localSystem';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium, launchOptions } from '../browser/chromium.ts';
import { reduceColors } from './reduceColors.ts';

const folder = new URL('../../docs/images/', import.meta.url);
const largest = 200_000;

interface Picture {
  /** The account that is logged in. */
  login: string;
  /** Opens the page and waits for its content. */
  open(page: Page): Promise<void>;
}

const pictures: Record<string, Picture> = {
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
};

async function openQuiz(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Grading' }).click();
  await page.getByRole('link', { name: 'Groups and symmetries' }).click();
  await page.getByRole('heading', { name: 'Groups and symmetries' }).waitFor();
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in pictures));
try {
  if (unknown.length > 0) throw new Error(`there is no picture ${unknown.join(', ')}; see --help`);
  await takeAll(named.length > 0 ? named : Object.keys(pictures), findChromium());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function takeAll(names: string[], executablePath: string): Promise<void> {
  process.stdout.write('Starting a system with the demo school…\n');
  const system = await startLocalSystem({ DEMO_DATA: '1' });
  try {
    const { demoPassword } = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
    await using browser = await chromium.launch(launchOptions(executablePath));
    for (const name of names) {
      const { login, open } = pictures[name] as Picture;
      const page = await logIn(browser, system.baseUrl, login, demoPassword);
      await open(page);
      await save(name, page);
    }
  } finally {
    await system.remove();
  }
}

async function logIn(browser: Browser, baseUrl: string, name: string, password: string): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(60_000);
  await page.goto(`${baseUrl}/login`);
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(`${name}@demo.gradeway.local`);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return page;
}

/** Writes the picture once the page's fonts are loaded and no requests are pending. */
async function save(name: string, page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  const picture = reduceColors(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  await page.context().close();
  if (picture.length > largest)
    throw new Error(`${name}.png would have ${picture.length} bytes; a README loads at most ${largest}`);
  await writeFile(new URL(`${name}.png`, folder), picture);
  process.stdout.write(`docs/images/${name}.png: ${Math.round(picture.length / 1000)} kB\n`);
}
