import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, inject, onTestFinished } from 'vitest';
import { launchOptions } from './chromium.ts';
import { PageWatch } from './pageWatch.ts';
import { type Language, words } from './words.ts';

/** The window's properties. */
export interface Look {
  theme?: 'light' | 'dark';
  language?: Language;
  width?: number;
  height?: number;
  forcedColors?: boolean;
  reducedMotion?: boolean;
  /** A browser setting of 200 % text size. */
  largeText?: boolean;
  /** The device's time zone. The machine's zone, UTC, by default. */
  timeZone?: string;
  /** The shared system by default. */
  baseUrl?: string;
  /** A directory for a browser profile that outlives the window. */
  profile?: string;
}

export interface Window {
  context: BrowserContext;
  /** The first tab. */
  page: Page;
  watch: PageWatch;
  /** Translates an English text of the application into the window's language. */
  t(english: string): string;
}

interface Person {
  email: string;
  password: string;
}

// Generous, because it only ends tests that can no longer succeed.
const limitMs = 30_000;
const evidence = fileURLToPath(new URL('../../.build/browser', import.meta.url));

type Size = 'usual' | 'large';
const browsers: Partial<Record<Size, Promise<Browser>>> = {};
afterAll(async () => {
  for (const each of Object.values(browsers)) await (await each).close();
});

/** Returns this file's browser. The text size is a browser setting, because rem in media queries follows it. */
function browserWith(size: Size): Promise<Browser> {
  const { args = [], ...launch } = launchOptions(inject('chromium'));
  const more = size === 'large' ? ['--blink-settings=defaultFontSize=32'] : [];
  browsers[size] ??= chromium.launch({ ...launch, args: [...args, ...more] });
  return browsers[size];
}

/**
 * Opens a window with its own cookies and storage for the running test. The test fails if a page does anything that
 * `PageWatch` forbids. A failing test leaves a screenshot and the accessibility tree of each page in `.build/browser`.
 */
export async function openWindow(look: Look = {}): Promise<Window> {
  const baseUrl = look.baseUrl ?? inject('system').baseUrl;
  const context = await newContext(baseUrl, look);
  context.setDefaultTimeout(limitMs);
  const watch = await PageWatch.of(context, baseUrl);
  onTestFinished(async ({ task }) => {
    const faults = await watch.faults();
    if (faults.length > 0 || task.result?.state === 'fail') await keepEvidence(context, task.name);
    await context.close();
    if (faults.length > 0) throw new Error(`The browser noticed:\n${faults.join('\n')}`);
  });
  const page = context.pages()[0] ?? (await context.newPage());
  return { context, page, watch, t: words(look.language ?? 'en') };
}

function newContext(baseURL: string, look: Look): Promise<BrowserContext> {
  const options = {
    baseURL,
    locale: look.language === 'ar' ? 'ar' : 'en-GB',
    colorScheme: look.theme ?? ('light' as const),
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    forcedColors: look.forcedColors ? ('active' as const) : ('none' as const),
    reducedMotion: look.reducedMotion ? ('reduce' as const) : ('no-preference' as const),
    ...(look.timeZone === undefined ? {} : { timezoneId: look.timeZone }),
  };
  if (look.profile)
    return chromium.launchPersistentContext(look.profile, {
      ...launchOptions(inject('chromium')),
      ...options,
    });
  return browserWith(look.largeText ? 'large' : 'usual').then((browser) => browser.newContext(options));
}

/** Logs in through the login page. `path` is the requested page. */
export async function logIn(
  { page, t }: Window,
  { email, password }: Person,
  path = '/login',
): Promise<void> {
  await page.goto(path);
  await page.getByLabel(t('Email or mobile number')).fill(email);
  await page.getByLabel(t('Password')).fill(password);
  await page.getByRole('button', { name: t('Log in'), exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname !== '/login');
  await page.getByRole('banner').waitFor();
}

/** Opens a window, logs in and opens a path. */
export async function openAs(person: Person, path: string, look: Look = {}): Promise<Window> {
  const window = await openWindow(look);
  await logIn(window, person, path);
  return window;
}

// A test may have several windows.
let kept = 0;

async function keepEvidence(context: BrowserContext, test: string): Promise<void> {
  await mkdir(evidence, { recursive: true });
  for (const page of context.pages()) {
    kept += 1;
    const path = `${evidence}/${test.replace(/[^\p{L}\d]+/gu, '-').slice(0, 120)}-${kept}`;
    await page.screenshot({ path: `${path}.png` }).catch(() => {});
    const tree = await page.locator('body').ariaSnapshot().catch(String);
    await writeFile(`${path}.txt`, `${page.url()}\n${tree}\n`);
  }
}

/** Returns the page's access token. It is only in memory, so it is read from a request. */
export function tokenOf(page: Page): () => string {
  let token = '';
  page.on('request', (request) => {
    token = request.headers().authorization?.replace('Bearer ', '') ?? token;
  });
  return () => token;
}
