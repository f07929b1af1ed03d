import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../start.js', import.meta.url));

/** Runs `npm start`, which must end before it installs anything. */
async function start(parameters: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, ...parameters], { env: { PATH: process.env.PATH, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return [code, output.trim()];
}

test('npm start rejects an unknown argument', async () => {
  expect(await start(['--hlep'])).toEqual([
    1,
    'npm start has no argument --hlep; npm start -- --help lists its settings',
  ]);
});

test('npm start reports a port in use before it installs', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  expect(await start([], { PORT: String(port) })).toEqual([
    1,
    `Gradeway cannot start: port ${port} is taken: stop what uses it, or set PORT to another`,
  ]);
  taken.close();
});

test.each(['0', '65536', 'http'])('npm start reports the port %s before it installs', async (port) => {
  expect(await start([], { PORT: port })).toEqual([
    1,
    `Gradeway cannot start: PORT must be a whole number from 1 to 65535, but is "${port}"`,
  ]);
});
