// npm run import: imports a OneRoster archive into the local installation or one at a given URL.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installAndBuild } from './installAndBuild.js';
import { nodeProgram, root } from './nodeProgram.js';

await installAndBuild('runtime');
// npm changes to the root of the repository: paths are relative to where the command was entered.
const origin = process.env.INIT_CWD ?? process.cwd();
const parameters = process.argv
  .slice(2)
  .map((each) => (!each.startsWith('-') && existsSync(resolve(origin, each)) ? resolve(origin, each) : each));
const child = spawn(nodeProgram(), [join(root, 'local/dist/importOneRoster.js'), ...parameters], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
