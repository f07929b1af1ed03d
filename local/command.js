// Operators' commands on the local installation: each service's own, with the environment that npm start gave it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { node, prepare, root } from './prepare.js';

const [command, ...parameters] = process.argv.slice(2);
await prepare();
const { status } = spawnSync(node, [join(root, 'local/dist/command.js'), command, ...parameters], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
