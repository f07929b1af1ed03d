import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

// The headless shell is Chromium without its user interface: the same engine, but tests take a quarter less time.
const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Finds the browser named by CHROME or installed on this machine. The error says what to install. */
export function findChromium(named = process.env.CHROME): string {
  if (named && !existsSync(named)) throw new Error(`CHROME names ${named}, which does not exist.`);
  const found = named || usual.find(existsSync);
  if (!found)
    throw new Error(
      'The tests in a browser need Chromium: install the package chromium-headless-shell or chromium (apt-get install chromium-headless-shell), or set CHROME to the program.',
    );
  return found;
}

/** Chromium refuses to run its sandbox as root. */
export const launchOptions = (executablePath: string): LaunchOptions => ({
  executablePath,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
