import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a process that has a logger, `log`. */
function start(script: string): { child: ChildProcess; lines(): string[] } {
  const logger = new URL('../../dist/process/logger.js', import.meta.url).href;
  const program = `
    import { createLogger } from ${JSON.stringify(logger)};
    const log = createLogger('test', 'info');
    ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  return { child, lines: () => text.trim().split('\n') };
}

/** The output of a process, once it has ended. */
async function linesOf(script: string): Promise<string[]> {
  const { child, lines } = start(script);
  await once(child, 'close');
  return lines();
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
])('a process that %s writes all of its lines first', async (_, end, count) => {
  const lines = await linesOf(`for (let n = 1; n <= 100; n += 1) log.info({ n }, 'line'); ${end}`);
  expect(lines).toHaveLength(count);
  expect(lines[99]).toContain('"n":100');
});

test('lines of any length and script keep their order and their text', async () => {
  const lengths = [10, 9_000, 12_000, 3, 40_000, 5, 16_384, 11_000];
  const lines = await linesOf(`for (const length of [${lengths}]) log.info('宿'.repeat(length));`);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(lengths.map((length) => '宿'.repeat(length)));
});

test('lines of several loggers keep their order, and an exit loses no lines', async () => {
  const lines = await linesOf(`
    const other = createLogger('other', 'info');
    for (let n = 1; n <= 100; n += 1) (n % 3 === 0 ? other : log).info({ n }, 'line');
    process.exit(1);`);
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
});

test('a line is written even if the process logs nothing else', async () => {
  const { child, lines } = start(`log.info({ request_id: 'one' }, 'a line'); setInterval(() => {}, 1_000);`);
  onTestFinished(() => void child.kill());
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const line = JSON.parse(lines()[0] ?? '');
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    service: 'test',
    request_id: 'one',
    msg: 'a line',
  });
});
