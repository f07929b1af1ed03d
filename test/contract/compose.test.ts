import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { containerSecrets } from '@gradeway/local/compose/containerSecrets';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  environment?: Record<string, string | null>;
  volumes?: string[];
  ports?: string[];
  networks?: string[];
}

const text = await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const { services } = parse(text, { merge: true, maxAliasCount: -1 }) as { services: Record<string, Service> };

const files = containerSecrets(
  {
    postgres: 'the postgres',
    rabbitmq: 'the rabbitmq',
    service: 'the service',
    roles: { auth: 'a', courses: 'c', homework: 'h', quiz: 'q', broker: 'b' },
    keyEncryption: 'k',
    webhookEncryption: 'w',
    quizFiles: 'qf',
    homeworkFiles: 'hf',
    demoPassword: 'd',
    adminEmail: 'admin@example.com',
    adminPassword: 'p',
  },
  { postgres: 'postgres:5432', rabbitmq: 'rabbitmq:5672' },
);

test.each(['gateway', 'auth', 'courses', 'homework', 'quiz', 'backup'] as const)(
  '%s reads exactly the secrets that are generated for it',
  (name) => {
    const read = Object.entries(services[name]?.environment ?? {}).flatMap(([variable, value]) =>
      value?.startsWith('/secrets/') ? [[variable.replace(/_FILE$/, ''), value]] : [],
    );
    const generated = Object.keys(files[name]).map((file) => [file, `/secrets/${file}`]);
    expect(read.toSorted()).toEqual(generated.toSorted());
  },
);

test('docker-compose.yml contains no secret', () => {
  for (const service of Object.values(services))
    for (const [variable, value] of Object.entries(service.environment ?? {}))
      if (/(SECRET|PASSWORD|_URL)$/.test(variable)) expect(value ?? '', variable).toBe('');
});

test('a volume of secrets is mounted only by its reader and by the task that writes it', () => {
  for (const [name, { volumes = [] }] of Object.entries(services))
    for (const volume of volumes.filter((each) => each.startsWith('secrets-')))
      expect([
        `secrets-${name}:/secrets:ro`,
        `${volume.split(':')[0]}:/secrets/${volume.slice(8).split(':')[0]}`,
      ]).toContain(volume);
});

test('only the gateway and Jaeger publish ports, on the loopback address', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => ({ name, port })),
  );
  expect(published.map(({ name }) => name).toSorted()).toEqual(['gateway', 'jaeger']);
  for (const { port } of published) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('the gateway shares no network with the database', () => {
  expect(services.gateway?.networks).toEqual(['inside', 'events']);
  expect(services.postgres?.networks).toEqual(['data']);
  expect(services.rabbitmq?.networks).toEqual(['events']);
});

test.each([{}, { OTP_TO_LOG: '0' }])('without a way to deliver login codes (%o) nothing starts', (env) => {
  const script = fileURLToPath(new URL('../../local/dist/compose/writeContainerSecrets.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  expect([status, stderr.trim()]).toEqual([
    1,
    'Gradeway cannot start: set SMTP_URL to a mail server for login codes, or OTP_TO_LOG=1 to write them to the log',
  ]);
});
