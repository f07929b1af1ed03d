import { readFile } from 'node:fs/promises';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { schemas } from '@gradeway/local/provisionDatabase';
import { type ConfigOf, readConfig } from '@gradeway/shared/config/readConfig';
import type { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { startAdminServer } from '@gradeway/shared/process/adminServer';
import { Health } from '@gradeway/shared/process/health';
import { describe, expect, test } from 'vitest';
import {
  containerOf,
  environmentOf,
  everyPlace,
  find,
  processes,
  secretOf,
  settingsOf,
} from './manifests.ts';

// Not read by our code but by what it runs on.
const readByNode = ['NODE_ENV', ...Object.keys(mallocSettings)];

const portsOf = (folder: string, name: (typeof processes)[number]) =>
  Object.fromEntries((containerOf(folder, name).ports ?? []).map((port) => [port.name, port.containerPort]));

describe.each(everyPlace)('%s as of %s', (name, folder) => {
  const configured = async () => {
    const { open, secret } = environmentOf(folder, name);
    return readConfig(await settingsOf(name), { ...open, ...secret }) as ConfigOf<typeof serviceSettings>;
  };

  test('starts with what it is given: nothing is missing, nothing is wrong', async () => {
    await expect(configured()).resolves.toBeDefined();
  });

  test('is given nothing that it does not read', async () => {
    const known = Object.values(await settingsOf(name)).map((setting) => setting.name);
    const { open, secret } = environmentOf(folder, name);
    const given = Object.keys({ ...open, ...secret });
    expect([...known, ...readByNode]).toEqual(expect.arrayContaining(given));
  });

  test('has its secrets from its own Secret, and none in the manifest', async () => {
    const { open } = environmentOf(folder, name);
    const secretNames = Object.values(await settingsOf(name))
      .filter((setting) => setting.kind === 'secret' || /PASSWORD$|_URL$/.test(setting.name))
      .map((setting) => setting.name)
      .filter((each) => !/^(AUTH|COURSES|HOMEWORK|QUIZ|JWKS|PUBLIC)_URL$/.test(each));
    expect(Object.keys(open).filter((each) => secretNames.includes(each))).toEqual([]);
    const froms = containerOf(folder, name).envFrom?.flatMap(({ secretRef }) => secretRef?.name ?? []);
    expect(froms).toEqual([name]);
  });

  test('offers the ports that it listens on', async () => {
    const { port, grpcPort, adminPort } = await configured();
    const grpc = name === 'gateway' ? {} : { grpc: grpcPort };
    expect(portsOf(folder, name)).toEqual({ http: port, metrics: adminPort, ...grpc });
    const { annotations } = find(folder, 'Deployment', name).spec.template.metadata;
    expect(annotations['prometheus.io/port']).toBe(String(adminPort));
  });

  test('is asked by probes for paths and ports that there are', async () => {
    const adminServer = await startAdminServer(new Health(), '127.0.0.1', 0);
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(folder, name);
    try {
      for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
        expect(probe).toBeDefined();
        if (probe?.grpc) expect(probe.grpc).toEqual({ port: portsOf(folder, name).grpc });
        else {
          expect(probe?.httpGet?.port).toBe('metrics');
          const response = await fetch(`http://127.0.0.1:${adminServer.port}${probe?.httpGet?.path}`);
          expect(response.status, probe?.httpGet?.path).toBe(200);
        }
        // Readiness may take two seconds to find out (shared/src/process/health.ts).
        expect(probe?.timeoutSeconds).toBeGreaterThan(2);
      }
    } finally {
      await adminServer.close();
    }
    expect(readinessProbe?.grpc !== undefined).toBe(name !== 'gateway');
    expect(livenessProbe?.httpGet?.path).toBe('/livez');
  });

  test('has time to end what is under way before it is killed', async () => {
    const { shutdownDelay, shutdownTimeout } = await configured();
    const grace = find(folder, 'Deployment', name).spec.template.spec.terminationGracePeriodSeconds * 1000;
    expect(shutdownDelay + shutdownTimeout).toBeLessThan(grace);
    // Not ready twice in a row, and a moment for every node to hear of it.
    expect(shutdownDelay).toBeGreaterThanOrEqual(5_000);
  });

  test('keeps memory as the other ways to run do', () => {
    expect(environmentOf(folder, name).open).toMatchObject(mallocSettings);
  });

  test('offers its ports to others: HTTP behind one address, gRPC with every replica’s own', async () => {
    const { port, grpcPort } = await configured();
    const selector = { 'app.kubernetes.io/name': name };
    const { spec } = find(folder, 'Service', name);
    expect(spec).toMatchObject({ selector, ports: [{ name: 'http', port, targetPort: 'http' }] });
    expect(spec).not.toHaveProperty('clusterIP');
    if (name === 'gateway') return;
    const grpc = find(folder, 'Service', `${name}-grpc`).spec;
    // A headless service has no address that could lead to another port.
    expect(grpc).toMatchObject({
      clusterIP: 'None',
      selector,
      ports: [{ name: 'grpc', port: grpcPort, targetPort: 'grpc' }],
    });
  });

  test('is told where the others are, by addresses that there are', async () => {
    const { open } = environmentOf(folder, name);
    const whole = folder.startsWith('services/') ? 'overlays/all' : 'overlays/production';
    for (const setting of Object.values(await settingsOf(name))) {
      const about = `${setting.name}=${open[setting.name]}`;
      if (setting.kind === 'address') {
        // Resolved to every replica, so that the client shares its calls out among them.
        const [, host = '', port] = /^dns:\/\/\/([\w-]+-grpc):(\d+)$/.exec(open[setting.name] ?? '') ?? [];
        expect(host, about).not.toBe('');
        expect(find(whole, 'Service', host).spec.ports[0].port, about).toBe(Number(port));
      }
      if (/^http:\/\/\w+:8080/.test(setting.defaultText ?? '')) {
        const { hostname, port } = new URL(open[setting.name] ?? '');
        expect(find(whole, 'Service', hostname).spec.ports[0].port, about).toBe(Number(port));
      }
    }
  });

  test('runs the image of its name and of this version, and migrates by its own script', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    const { containers, initContainers = [] } = find(folder, 'Deployment', name).spec.template.spec;
    for (const { image } of [...containers, ...initContainers])
      expect(image).toMatch(new RegExp(`^([a-z.]+/)?gradeway/${name}:${version}$`));
    const steps = initContainers.map(({ command }: { command: string[] }) => command);
    expect(steps).toEqual(name === 'gateway' ? [] : [['node', `/app/services/${name}/dist/migrate.js`]]);
    const script = new URL(`../../services/${name}/src/migrate.ts`, import.meta.url);
    if (name !== 'gateway') expect(await readFile(script, 'utf8')).toContain(`runMigration('${name}'`);
  });
});

describe('the Secrets of a test cluster', () => {
  test('give every process the same key for calls, and each its own role, database and file key', () => {
    expect(new Set(processes.map((name) => secretOf(name).SERVICE_SECRET)).size).toBe(1);
    const services = schemas.filter((schema) => schema !== 'broker');
    const urls = services.map((name) => new URL(secretOf(name).DATABASE_URL ?? ''));
    expect(urls.map(({ username }) => username)).toEqual(services.map((name) => `gradeway_${name}`));
    expect(new Set(urls.map(({ password }) => password)).size).toBe(services.length);
    expect(secretOf('quiz').FILE_URL_SECRET).not.toBe(secretOf('homework').FILE_URL_SECRET);
  });

  test('fit PostgreSQL and RabbitMQ as the platform runs them', () => {
    const services = ['auth', 'courses', 'homework', 'quiz'] as const;
    for (const name of services) {
      const database = new URL(secretOf(name).DATABASE_URL ?? '');
      expect(find('overlays/all', 'Service', database.hostname).spec.ports[0].port).toBe(
        Number(database.port),
      );
      expect(secretOf('postgres')[`${name.toUpperCase()}_PASSWORD`]).toBe(database.password);
      const events = new URL(secretOf(name).EVENTS_URL ?? '');
      expect(find('overlays/all', 'Service', events.hostname).spec.ports[0].port).toBe(Number(events.port));
      const { RABBITMQ_DEFAULT_USER: user, RABBITMQ_DEFAULT_PASS: password } = secretOf('rabbitmq');
      expect([events.username, events.password]).toEqual([user, password]);
    }
    const { env } = find('overlays/all', 'StatefulSet', 'postgres').spec.template.spec.containers[0];
    expect(env).toContainEqual({ name: 'POSTGRES_DB', value: 'gradeway' });
    expect(new URL(secretOf('quiz').DATABASE_URL ?? '').pathname).toBe('/gradeway');
  });
});
