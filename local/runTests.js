// npm test: installs packages, builds, checks the types of the tests, and passes the parameters to vitest.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installAndBuild, node, root } from './installAndBuild.js';

const help = `npm test: runs all tests, with their own ports and data

It installs missing packages, builds changed sources and needs nothing else. The RabbitMQ tests are skipped, with a message, where
rabbitmq-server is not installed.

  npm test                          all tests
  npm test -- services/quiz         the tests below a path
  npm test -- -t 'a name'           the tests whose name contains this text
  BASE_URL=… ADMIN_EMAIL=… ADMIN_PASSWORD=… npm run test:blackbox
                                    the black-box tests against a running installation`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

await installAndBuild();
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
  const path = [join(root, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } };
  const { status } = spawnSync(node, [join(root, 'node_modules', script), ...parameters], options);
  if (status !== 0) process.exit(status ?? 1);
}
