// npm run build: generates the types and the table of operations, compiles the library, and bundles the command with its
// own dependencies, so that the package has none.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { generate } from './generate.js';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const command = join(here, 'dist/cli/gradeway.js');
const licenceOf = (name) => readFileSync(join(dirname(require.resolve(name)), 'LICENSE'), 'utf8').trim();

rmSync(join(here, 'dist'), { recursive: true, force: true });
await generate();
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.library.json')], { stdio: 'inherit' });
await build({
  input: join(here, 'src/cli/gradeway.ts'),
  platform: 'node',
  transform: { target: 'node20' },
  output: {
    file: command,
    banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
    postFooter: `/* Contains commander:\n${licenceOf('commander')}\n*/`,
  },
});
chmodSync(command, 0o755);
copyFileSync(join(here, '../../LICENSE'), join(here, 'LICENSE'));
