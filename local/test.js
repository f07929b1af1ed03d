// npm test: prepares the checkout, checks the types of the tests, then runs them. Parameters go to vitest.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, prepare, root } from './prepare.js';

const help = `npm test: every test, on ports and data of its own

It installs and builds what is missing. Nothing else needs to run; RabbitMQ's own tests are skipped where
rabbitmq-server is not installed, and say so.

  npm test                          everything
  npm test -- services/quiz         the tests under a path
  npm test -- -t 'a name'           the tests with this in their name
  BASE_URL=… ADMIN_EMAIL=… ADMIN_PASSWORD=… npm run test:blackbox
                                    the black-box journeys against a Gradeway that runs elsewhere`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

await prepare();
run('typescript/bin/tsc', ['-p', 'test']);
mkdirSync(join(root, '.build'), { recursive: true });
const results = join(root, '.build/test-results.json');
run('vitest/vitest.mjs', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${results}`,
  ...process.argv.slice(2),
]);

function run(script, parameters) {
  const path = `${join(root, 'node_modules/node/bin')}:${process.env.PATH}`;
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } };
  const { status } = spawnSync(node, [join(root, 'node_modules', script), ...parameters], options);
  if (status !== 0) process.exit(status ?? 1);
}
