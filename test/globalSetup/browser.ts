import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../browser/chromium.ts';
import { startLocalSystem } from '../support/localSystem.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser that the tests drive. */
    chromium: string;
    /** The directory of the data and logs of the browser tests' system. */
    dataDirectory: string;
  }
}

/** Starts the whole system once for all browser tests, and fails at once if there is no browser. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium();
  await rm(fileURLToPath(new URL('../../.build/browser', import.meta.url)), { recursive: true, force: true });
  const system = await startLocalSystem({
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_LIMIT_PER_ADDRESS: '0',
    WEB_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
  });
  const { baseUrl, adminEmail, adminPassword, directory } = system;
  project.provide('system', { baseUrl, adminEmail, adminPassword, isLocal: true });
  project.provide('chromium', chromium);
  project.provide('dataDirectory', directory);
  return system.remove;
}
