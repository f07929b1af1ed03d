import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createEmptyDatabase } from '@gradeway/test/testDatabase';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

/** Runs a script in a new process and returns the names of the npm packages that it loaded. */
async function packagesLoadedBy(script: string): Promise<Set<string>> {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        loaded.push(url);
        return next(url, context);
      },
    });
    ${script}
    process.stdout.write(JSON.stringify(loaded), () => process.exit(0));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  });
  const urls = JSON.parse(stdout) as string[];
  return new Set(urls.flatMap((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []));
}

// Packages that only some processes need. All of them are slow to load or large in memory.
const optional = [
  'sequelize',
  'umzug',
  'pg',
  'pg-boss',
  'amqplib',
  '@aws-sdk/client-s3',
  'multer',
  'pdfjs-dist',
  'piscina',
  'pino-pretty',
  '@opentelemetry/sdk-node',
];

test.each([
  'http/app',
  'http/errors',
  'auth/openTokenVerifier',
  'events/openBroker',
  'grpc/server',
  'process/runProcess',
])('importing %s loads no optional package', async (path) => {
  const loaded = await packagesLoadedBy(`await import('@gradeway/shared/${path}');`);
  expect(optional.filter((name) => loaded.has(name))).toEqual([]);
});

const openListener = (url: string) => `
  const { openEventListener } = await import('@gradeway/shared/events/openBroker');
  const { createLogger } = await import('@gradeway/shared/process/logger');
  const listener = await openEventListener({ url: '${url}', log: createLogger('test', 'silent') });
  await listener.close();`;

test('an event listener on RabbitMQ loads amqplib and no other optional package', async () => {
  const loaded = await packagesLoadedBy(openListener('amqp://127.0.0.1:1'));
  expect(optional.filter((name) => loaded.has(name))).toEqual(['amqplib']);
});

test('an event listener on the embedded broker loads pg and no other optional package', async () => {
  const loaded = await packagesLoadedBy(openListener('postgres://user@127.0.0.1:1/none'));
  expect(optional.filter((name) => loaded.has(name))).toEqual(['pg']);
});

test('a start loads umzug only when there is something to migrate', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const migrate = `
    const { openMigrationDatabase } = await import('../src/database/connection.ts');
    const { migrate } = await import('../src/database/migrate.ts');
    const { createLogger } = await import('@gradeway/shared/process/logger');
    const sequelize = openMigrationDatabase({ url: '${database.url('quiz')}', name: 'test' });
    const folder = new URL('file:${import.meta.dirname}/../../services/quiz/migrations/');
    await migrate(sequelize, folder, createLogger('test', 'silent'));
    await sequelize.close();`;
  const [first, second] = [await packagesLoadedBy(migrate), await packagesLoadedBy(migrate)];
  expect([first.has('umzug'), second.has('umzug')]).toEqual([true, false]);
});
