import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processNames } from './processes.ts';

const timeoutMs = 60_000;

interface Options {
  baseUrl: string;
  logDirectory: string;
  /** Whether a process has ended because of an invalid setting. */
  isMisconfigured(): boolean;
}

/**
 * Waits until the gateway reports itself and all services ready.
 * @throws Error with the invalid setting, or after a timeout with the last error of each log
 */
export async function waitUntilReady({ baseUrl, logDirectory, isMisconfigured }: Options): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (isMisconfigured()) throw new Error(await invalidSetting(logDirectory));
    const response = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(100);
  }
  const errors = await Promise.all(processNames.map((name) => lastError(logDirectory, name)));
  throw new Error(['the services did not become ready.', ...errors.filter(Boolean)].join('\n  '));
}

// The processes share many settings, so one error is enough.
async function invalidSetting(logDirectory: string): Promise<string> {
  const errors = await Promise.all(processNames.map((name) => lastError(logDirectory, name)));
  return (
    errors.map((error) => error.replace(/^.* cannot start: /, '')).find(Boolean) ?? 'a setting is invalid'
  );
}

async function lastError(logDirectory: string, name: string): Promise<string> {
  const text = await readFile(join(logDirectory, `${name}.log`), 'utf8').catch(() => '');
  const line = text.split('\n').findLast((each) => /"level":"(error|fatal)"|cannot start/.test(each));
  return line ? `${name}: ${line.slice(0, 500)}` : '';
}
