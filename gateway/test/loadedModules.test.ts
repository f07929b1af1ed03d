import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@gradeway/test/waitFor';
import getPort from 'get-port';
import { expect, test } from 'vitest';

const gateway = fileURLToPath(new URL('..', import.meta.url));
const unreachable = '127.0.0.1:9';

// Each would cost start-up time and memory.
const unneeded = [
  'sequelize',
  'pg-boss',
  '@aws-sdk/client-s3',
  'multer',
  'pdfjs-dist',
  'umzug',
  'zod',
  'yaml',
];

test.each([
  { broker: 'RabbitMQ', eventsUrl: `amqp://${unreachable}`, clients: ['amqplib'] },
  // Listening to the embedded broker takes a connection to PostgreSQL, but not pg-boss.
  { broker: 'the embedded broker', eventsUrl: `postgres://${unreachable}/gradeway`, clients: ['pg'] },
  { broker: 'no broker', eventsUrl: undefined, clients: [] },
])(
  'with $broker the gateway loads no library that only services need',
  async ({ eventsUrl, clients }) => {
    const modules = await loadedModules(eventsUrl ? { EVENTS_URL: eventsUrl } : {});
    const packages = new Set(modules.map(packageOf));
    expect(packages).toContain('express');
    expect(unneeded.filter((name) => packages.has(name))).toEqual([]);
    expect(['amqplib', 'pg'].filter((name) => packages.has(name))).toEqual(clients);
    // Swagger UI is served as files; its code runs in browsers only.
    expect(modules.filter((url) => url.includes('swagger-ui-bundle'))).toEqual([]);
  },
  60_000,
);

/** The URLs of the modules that the built gateway has loaded when it listens. */
async function loadedModules(env: Record<string, string>): Promise<string[]> {
  const [port, adminPort] = [await getPort(), await getPort()];
  const recorder = new URL('recordLoadedModules.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', recorder, 'dist/main.js'], {
    cwd: gateway,
    env: { ...settings, PORT: String(port), ADMIN_PORT: String(adminPort), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await waitFor(() => isAlive(port), 30_000);
    child.send('list');
    const [modules] = await once(child, 'message');
    return modules;
  } finally {
    child.kill('SIGKILL');
  }
}

const settings = {
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  SERVICE_SECRET: 'x'.repeat(20),
  AUTH_GRPC: unreachable,
  JWKS_URL: `http://${unreachable}/jwks.json`,
};

const isAlive = async (port: number): Promise<boolean> => {
  const response = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined);
  return response?.ok === true;
};

/** The package of a module; undefined for one of the workspace. */
const packageOf = (url: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
