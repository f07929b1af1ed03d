// npm run import: a OneRoster archive into an installation, this one or any other that is within reach.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { node, prepare, root } from './prepare.js';

await prepare();
// npm changes to the root of the project: a file means what it meant where the command was given.
const from = process.env.INIT_CWD ?? process.cwd();
const parameters = process.argv
  .slice(2)
  .map((each) => (!each.startsWith('-') && existsSync(resolve(from, each)) ? resolve(from, each) : each));
const child = spawn(node, [join(root, 'local/dist/importArchive.js'), ...parameters], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
