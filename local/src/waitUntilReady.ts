import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processNames } from './processes.ts';

const patienceMs = 60_000;

/**
 * Waits until the gateway says that it and every service is ready.
 * @throws Error that names what a process said last, when that takes too long
 */
export async function waitUntilReady(baseUrl: string, logDirectory: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (Date.now() < end) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(100);
  }
  const complaints = await Promise.all(processNames.map((name) => lastComplaint(logDirectory, name)));
  throw new Error(['the services did not become ready.', ...complaints.filter(Boolean)].join('\n  '));
}

async function lastComplaint(logDirectory: string, name: string): Promise<string> {
  const text = await readFile(join(logDirectory, `${name}.log`), 'utf8').catch(() => '');
  const line = text.split('\n').findLast((each) => /"level":"(error|fatal)"|cannot start/.test(each));
  return line ? `${name}: ${line.slice(0, 500)}` : '';
}
