import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';

/** Runs a process whose start function has the given body, and returns its log. */
function run(start: string) {
  const program = `
    import { processSettings } from '@gradeway/shared/config/serviceSettings';
    import { runProcess } from '@gradeway/shared/process/runProcess';
    setInterval(() => {}, 1_000);
    await runProcess('example', processSettings, async ({ onStop, log }) => { ${start} });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, SHUTDOWN_DELAY: '0s', SERVICE_SECRET: 'x'.repeat(20) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return {
    logged: (text: string) => waitFor(() => output.includes(text)),
    stop: () => child.kill('SIGTERM'),
    ended: once(child, 'close').then(([exitCode]) => ({ exitCode, output })),
  };
}

test('a process that is stopped while it starts runs its cleanups and exits with code 0', async () => {
  const example = run(`
    onStop('a part', () => log.info('the part is closed'));
    log.info('waiting for the database');
    await new Promise(() => {});`);
  await example.logged('waiting for the database');
  example.stop();
  const { exitCode, output } = await example.ended;
  expect(exitCode).toBe(0);
  expect(output).toContain('stopped before its start was complete');
  expect(output).toContain('the part is closed');
});

test('a process that cannot start runs its cleanups and ends with exit code 1 and the cause', async () => {
  const example = run(`
    onStop('a part', () => log.info('the part is closed'));
    throw new Error('no such database');`);
  const { exitCode, output } = await example.ended;
  expect(exitCode).toBe(1);
  expect(output).toContain('no such database');
  expect(output).toContain('the part is closed');
});

test('a process with an invalid setting ends with exit code 78, which a supervisor does not restart', async () => {
  const example = run(`
    const { ConfigError } = await import('@gradeway/shared/config/readConfig');
    throw new ConfigError(['SMTP_URL is required']);`);
  expect(await example.ended).toEqual({
    exitCode: 78,
    output: 'example cannot start: SMTP_URL is required\n',
  });
});

test('a running process stops with exit code 0', async () => {
  const example = run('');
  await example.logged('"started"');
  example.stop();
  expect(await example.ended).toMatchObject({ exitCode: 0 });
});

test.each([
  ['an uncaught error', 'setTimeout(() => { throw error; });'],
  ['an unhandled rejection', 'setTimeout(() => Promise.reject(error));'],
])('a process that ends because of %s logs no property of the error, such as a token', async (_, crash) => {
  const example = run(`
    const request = { headers: { authorization: 'Bearer a-secret-token' } };
    const cause = Object.assign(new Error('401'), { request, body: 'token=a-secret-token' });
    const error = Object.assign(new Error('the provider failed', { cause }), { request, token: 'a-secret-token' });
    ${crash}`);
  const { exitCode, output } = await example.ended;
  expect(exitCode).toBe(1);
  expect(output).toContain('the provider failed');
  expect(output).not.toContain('a-secret-token');
});
