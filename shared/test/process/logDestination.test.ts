import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { batchLines } from '../../src/process/logDestination.ts';

test('lines are written together, in their order', async () => {
  const written: string[] = [];
  const { write } = batchLines((lines) => written.push(lines.toString()));
  for (const line of ['a\n', 'b\n', 'c\n']) write(line);
  expect(written).toEqual([]);
  await waitFor(() => written.length > 0);
  expect(written).toEqual(['a\nb\nc\n']);
});

test('16 KB are written at once', () => {
  const written: number[] = [];
  const { write } = batchLines(({ length }) => written.push(length));
  for (let count = 0; count < 20; count += 1) write(`${'x'.repeat(999)}\n`);
  expect(written).toEqual([17_000]);
});

test('lines of any length and script keep their order and their bytes', () => {
  const written: Buffer[] = [];
  const { write, flushSync } = batchLines((bytes) => written.push(Buffer.from(bytes)));
  const lines = [10, 9_000, 12_000, 3, 40_000, 5, 16_384, 11_000].map((length) => `${'宿'.repeat(length)}\n`);
  for (const line of lines) write(line);
  flushSync();
  expect(Buffer.concat(written).toString()).toBe(lines.join(''));
});

/** What a process that logs a hundred lines has written when it ends in this way. */
async function linesOf(end: string): Promise<string[]> {
  const logger = new URL('../../dist/process/logger.js', import.meta.url).href;
  const script = `
    import { createLogger } from ${JSON.stringify(logger)};
    const log = createLogger('test', 'info');
    for (let n = 1; n <= 100; n += 1) log.info({ n }, 'line');
    ${end}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return text.trim().split('\n');
}

test.each([
  ['exits', 'process.exit(1);', 100],
  ['has nothing left to do', '', 100],
  ['throws', 'setTimeout(() => { throw new Error("a crash"); });', 100],
  [
    'logs a fatal error before it is killed',
    'log.fatal("the end"); process.kill(process.pid, "SIGKILL");',
    101,
  ],
])('a process that %s has written all of its lines', async (_, end, count) => {
  const lines = await linesOf(end);
  expect(lines).toHaveLength(count);
  expect(lines[99]).toContain('"n":100');
});
