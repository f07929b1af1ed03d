// npm run projections:rebuild, deadletters:replay, retention:count: runs a maintenance command of each service in the local installation.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installAndBuild } from './installAndBuild.js';
import { nodeProgram, root } from './nodeProgram.js';

const [command, ...parameters] = process.argv.slice(2);
await installAndBuild('runtime');
const { status } = spawnSync(
  nodeProgram(),
  [join(root, 'local/dist/maintenanceCli.js'), command, ...parameters],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
