// npm test: installs packages, builds, checks the types of the tests, and passes the parameters to vitest.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { installAndBuild } from './installAndBuild.js';
import { nodeProgram, pathWithNode, root } from './nodeProgram.js';

const help = `npm test: runs all tests except the slow ones of the other commands, with their own ports and data

It installs missing packages, builds changed sources and needs nothing else. The RabbitMQ tests are skipped, with a message, if
rabbitmq-server is not installed, and the PgBouncer tests if PgBouncer is not (test/thirdParty/pgbouncer builds it).

  npm test                          all tests except those of the next three commands
  npm run test:faults               the tests that kill, stop and starve processes, with a table of lost data
  npm run test:versions             this version beside the previous release, which it builds from the history of the repository; or
                                    beside the commit in PREVIOUS
  npm run test:web                  the web application on the whole system, in the Chromium of this machine or in CHROME
  npm test -- services/quiz         the tests below a path
  npm test -- -t 'a name'           the tests whose name contains this text
  npm test -- --sequence.shuffle    files and tests in random order, as with CI=1; --sequence.seed=N repeats an order
  BASE_URL=… ADMIN_EMAIL=… ADMIN_PASSWORD=… npm run test:blackbox
                                    the black-box tests against a running installation
  PGBOUNCER_TESTS=1 npm test -- services
                                    the tests of the services, with PgBouncer in front of PostgreSQL`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

const build = join(root, '.build');
const testFaults = process.argv.includes('--faults');
const testVersions = process.argv.includes('--versions');
const testBrowser = process.argv.includes('--browser');
const parameters = process.argv.slice(2).filter((each) => !/^--(faults|versions|browser)$/.test(each));
const results = testFaults
  ? 'fault-results.json'
  : testVersions
    ? 'version-results.json'
    : testBrowser
      ? 'browser-results.json'
      : 'test-results.json';
const shuffle = process.env.CI && !parameters.some((each) => each.startsWith('--sequence.shuffle'));

await installAndBuild();
mkdirSync(build, { recursive: true });
run('typescript/bin/tsc', ['-p', testBrowser ? 'test/browser' : 'test']);
run('vitest/vitest.mjs', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(build, results)}`,
  ...projects(),
  // vitest prints the seed.
  ...(shuffle ? ['--sequence.shuffle'] : []),
  ...parameters,
]);

// Without a selection, `npm test` runs all projects except the slow ones of `npm run test:faults` and
// `npm run test:versions`, and the one of `npm run test:web`, which needs a browser.
function projects() {
  // Tests spend a third of their time waiting for processes or for a fault to end, so there is one more worker than
  // there are cores. Fault tests put load on whole systems: with more workers than cores, requests would miss deadlines
  // without a fault.
  if (testFaults)
    return [
      '--project=faults',
      '--project=faultTable',
      `--maxWorkers=${Math.min(4, availableParallelism())}`,
    ];
  if (testVersions) return ['--project=versions', '--maxWorkers=1'];
  // Each test uses the CPU for the system and a browser.
  if (testBrowser) return ['--project=browser', `--maxWorkers=${Math.min(4, availableParallelism())}`];
  const workers = `--maxWorkers=${Math.min(6, availableParallelism() + 1)}`;
  const selects = parameters.some((each) => !each.startsWith('-') || each.startsWith('--project'));
  const slow = ['faults', 'faultTable', 'versions', 'browser'];
  return selects ? [] : [...slow.map((name) => `--project=!${name}`), workers];
}

function run(script, args) {
  const env = {
    ...process.env,
    PATH: pathWithNode(),
    // The tests start many processes; this saves them a fifth of their start-up time.
    NODE_COMPILE_CACHE: join(build, 'compile-cache'),
    // The rows of the two commands are in separate tables.
    ...(testVersions ? { FAULT_TABLE: 'version-table' } : {}),
  };
  const { status } = spawnSync(nodeProgram(), [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  if (status !== 0) process.exit(status ?? 1);
}
