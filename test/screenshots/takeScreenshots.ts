import { writeFile } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium, launchOptions } from '../browser/chromium.ts';
import { mailPictures, prepareMail, receivedHtml } from './mailPictures.ts';
import { pagePictures } from './pagePictures.ts';
import { reduceColors } from './reduceColors.ts';
import { type Scene, startScene } from './startScene.ts';

const folder = new URL('../../docs/images/', import.meta.url);
const largest = 200_000;
const all = [...Object.keys(pagePictures), ...Object.keys(mailPictures)];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
try {
  if (unknown.length > 0) throw new Error(`there is no picture ${unknown.join(', ')}; see --help`);
  await takeAll(named.length > 0 ? named : all, findChromium());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function takeAll(names: string[], executablePath: string): Promise<void> {
  process.stdout.write('Starting a system with the demo school…\n');
  const scene = await startScene();
  try {
    await using browser = await chromium.launch(launchOptions(executablePath));
    const mails = names.filter((name) => name in mailPictures);
    if (mails.length > 0) await prepareMail(scene);
    for (const name of names.filter((each) => each in pagePictures)) await takePage(scene, browser, name);
    for (const name of mails) await takeMail(scene, browser, name);
  } finally {
    await scene.close();
  }
}

async function takePage(scene: Scene, browser: Browser, name: string): Promise<void> {
  const { login, isWhole = false, open } = pagePictures[name] as (typeof pagePictures)[string];
  const page = await newPage(browser, { width: 1280, height: 800 });
  await logIn(page, scene, login);
  await open(page, scene);
  await save(name, page, isWhole);
}

async function takeMail(scene: Scene, browser: Browser, name: string): Promise<void> {
  const html = await receivedHtml(scene, mailPictures[name] as (typeof mailPictures)[string]);
  const page = await newPage(browser, { width: 640, height: 300 });
  await page.setContent(html);
  await save(name, page, true);
}

async function newPage(browser: Browser, viewport: BrowserContextOptions['viewport']): Promise<Page> {
  const page = await browser.newPage({
    ...{ viewport, colorScheme: 'light', locale: 'en-GB', reducedMotion: 'reduce' },
  });
  page.setDefaultTimeout(60_000);
  return page;
}

async function logIn(page: Page, { baseUrl, accountOf }: Scene, login: string): Promise<void> {
  const { email, password } = accountOf(login);
  await page.goto(`${baseUrl}/login`);
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** Writes the picture once the page's fonts are loaded and no requests are pending. */
async function save(name: string, page: Page, fullPage: boolean): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  const picture = reduceColors(await page.screenshot({ animations: 'disabled', caret: 'hide', fullPage }));
  await page.context().close();
  if (picture.length > largest)
    throw new Error(`${name}.png would have ${picture.length} bytes; a README loads at most ${largest}`);
  await writeFile(new URL(`${name}.png`, folder), picture);
  process.stdout.write(`docs/images/${name}.png: ${Math.round(picture.length / 1000)} kB\n`);
}
