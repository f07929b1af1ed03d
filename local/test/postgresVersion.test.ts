import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../src/ports.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test('on data of another major version of PostgreSQL, npm start names both versions and a remedy, and changes nothing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-version-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const data = join(directory, 'postgres');
  await mkdir(data);
  await writeFile(join(data, 'PG_VERSION'), '17\n');
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    OTP_TO_LOG: '1',
  };
  const child = spawn(process.execPath, [main], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([
    'Starting PostgreSQL…',
    `Gradeway cannot start: ${data} was written by PostgreSQL 17, and this Gradeway has PostgreSQL 18: restore a backup of it into a new DATA_DIR (docs/upgrade.md)`,
  ]);
  expect(await readdir(data)).toEqual(['PG_VERSION']);
});
