// npm run backup, npm run restore: back up the local installation, or restore a backup into an empty one.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { installAndBuild } from './installAndBuild.js';
import { nodeProgram, root } from './nodeProgram.js';

await installAndBuild('runtime');
const [command, ...parameters] = process.argv.slice(2);
// npm changes to the root of the repository: paths are relative to where the command was entered.
const origin = process.env.INIT_CWD ?? process.cwd();
const resolved = parameters.map((each) => (each.startsWith('-') ? each : resolve(origin, each)));
const { status } = spawnSync(nodeProgram(), [join(root, 'local/dist/backupCli.js'), command, ...resolved], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
