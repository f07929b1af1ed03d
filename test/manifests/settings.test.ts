import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { schemas } from '@gradeway/local/provisionDatabase';
import { type ConfigOf, readConfig } from '@gradeway/shared/config/readConfig';
import type { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { brokerClients, rabbitDefinitions, rabbitUserOf } from '@gradeway/shared/events/rabbitPermissions';
import { startAdminServer } from '@gradeway/shared/http/adminServer';
import { Health } from '@gradeway/shared/process/health';
import { createHttpClient } from '@gradeway/test/httpClient';
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

// Read by Node or the allocator, not by the services.
const readByNode = ['NODE_ENV', ...Object.keys(mallocSettings)];

const portsOf = (folder: string, name: (typeof processes)[number]) =>
  Object.fromEntries((containerOf(folder, name).ports ?? []).map((port) => [port.name, port.containerPort]));

describe.each(everyPlace)('%s as of %s', (name, folder) => {
  const configured = async () => {
    const { open, secret } = environmentOf(folder, name);
    return readConfig(await settingsOf(name), { ...open, ...secret }) as ConfigOf<typeof serviceSettings>;
  };

  test('the environment has all required settings, and all are valid', async () => {
    await expect(configured()).resolves.toBeDefined();
  });

  test('the environment has only settings that the process reads', async () => {
    const known = Object.values(await settingsOf(name)).map((setting) => setting.name);
    const { open, secret } = environmentOf(folder, name);
    const given = Object.keys({ ...open, ...secret });
    expect([...known, ...readByNode]).toEqual(expect.arrayContaining(given));
  });

  test('secrets come from the Secret of the process, and the manifest contains none', async () => {
    const { open } = environmentOf(folder, name);
    const secretNames = Object.values(await settingsOf(name))
      .filter((setting) => setting.kind === 'secret' || /PASSWORD$|_URL$/.test(setting.name))
      .map((setting) => setting.name)
      .filter((each) => !/^(AUTH|COURSES|HOMEWORK|QUIZ|JWKS|PUBLIC)_URL$/.test(each));
    expect(Object.keys(open).filter((each) => secretNames.includes(each))).toEqual([]);
    const froms = containerOf(folder, name).envFrom?.flatMap(({ secretRef }) => secretRef?.name ?? []);
    expect(froms).toEqual([name]);
  });

  test('the container declares the ports that the process listens on', async () => {
    const { port, grpcPort, adminPort } = await configured();
    const grpc = name === 'gateway' ? {} : { grpc: grpcPort };
    expect(portsOf(folder, name)).toEqual({ http: port, metrics: adminPort, ...grpc });
    const { annotations } = find(folder, 'Deployment', name).spec.template.metadata;
    expect(annotations['prometheus.io/port']).toBe(String(adminPort));
  });

  test('probes use existing paths and ports', async () => {
    const adminServer = await startAdminServer(new Health(), '127.0.0.1', 0);
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(folder, name);
    try {
      for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
        expect(probe).toBeDefined();
        if (probe?.grpc) expect(probe.grpc).toEqual({ port: portsOf(folder, name).grpc });
        else {
          expect(probe?.httpGet?.port).toBe('metrics');
          const client = createHttpClient({ baseUrl: `http://127.0.0.1:${adminServer.port}` });
          const { status } = await client.get(probe?.httpGet?.path ?? '');
          expect(status, probe?.httpGet?.path).toBe(200);
        }
        // The readiness checks may take two seconds (shared/src/process/health.ts).
        expect(probe?.timeoutSeconds).toBeGreaterThan(2);
      }
    } finally {
      await adminServer.close();
    }
    expect(readinessProbe?.grpc !== undefined).toBe(name !== 'gateway');
    expect(livenessProbe?.httpGet?.path).toBe('/livez');
  });

  test('the grace period exceeds the time of a graceful shutdown', async () => {
    const { shutdownDelay, shutdownTimeout } = await configured();
    const grace = find(folder, 'Deployment', name).spec.template.spec.terminationGracePeriodSeconds * 1000;
    expect(shutdownDelay + shutdownTimeout).toBeLessThan(grace);
    // Two failed probes, and time for the endpoints to reach every node.
    expect(shutdownDelay).toBeGreaterThanOrEqual(5_000);
  });

  test.runIf(name !== 'gateway')('a replica stays ready while requests wait for the database', async () => {
    const { periodSeconds = 0, failureThreshold = 0 } = containerOf(folder, name).readinessProbe ?? {};
    const { databaseWait } = await configured();
    expect((failureThreshold - 1) * periodSeconds * 1000).toBeGreaterThanOrEqual(databaseWait);
    // Otherwise the gateway gives up earlier.
    const gateway = folder.replace(new RegExp(`\\b${name}$`), 'gateway');
    const { open, secret } = environmentOf(gateway, 'gateway');
    const { idleTimeout } = readConfig(await settingsOf('gateway'), { ...open, ...secret }) as {
      idleTimeout: number;
    };
    expect(databaseWait).toBeLessThan(idleTimeout);
  });

  test('the allocator settings match the local run', () => {
    expect(environmentOf(folder, name).open).toMatchObject(mallocSettings);
  });

  test('the Services have one address for HTTP, and the address of every replica for gRPC', async () => {
    const { port, grpcPort } = await configured();
    const selector = { 'app.kubernetes.io/name': name };
    const { spec } = find(folder, 'Service', name);
    expect(spec).toMatchObject({ selector, ports: [{ name: 'http', port, targetPort: 'http' }] });
    expect(spec).not.toHaveProperty('clusterIP');
    if (name === 'gateway') return;
    const grpc = find(folder, 'Service', `${name}-grpc`).spec;
    // A headless Service has no address, so its port must be the port of the pods.
    expect(grpc).toMatchObject({
      clusterIP: 'None',
      selector,
      ports: [{ name: 'grpc', port: grpcPort, targetPort: 'grpc' }],
    });
  });

  test('the addresses of other services exist', async () => {
    const { open } = environmentOf(folder, name);
    const whole = folder.startsWith('services/') ? 'overlays/all' : 'overlays/production';
    for (const setting of Object.values(await settingsOf(name))) {
      const about = `${setting.name}=${open[setting.name]}`;
      if (setting.kind === 'address') {
        // The name resolves to every replica: the client balances its calls.
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

  test('the image has the name of the process and the current version, and migrations run first', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    const { containers, initContainers = [] } = find(folder, 'Deployment', name).spec.template.spec;
    for (const { image } of [...containers, ...initContainers])
      expect(image).toMatch(new RegExp(`^([a-z.]+/)?gradeway/${name}:${version}$`));
    const steps = initContainers.map(({ command }: { command: string[] }) => command);
    expect(steps).toEqual(
      name === 'gateway' ? [] : [['node', `/app/services/${name}/dist/command.js`, 'migrate']],
    );
    const script = new URL(`../../services/${name}/src/command.ts`, import.meta.url);
    if (name !== 'gateway') expect(await readFile(script, 'utf8')).toContain(`migrateCommand('${name}'`);
  });
});

describe('Secrets of a test cluster', () => {
  const usersOfRabbit = () => {
    const { users } = JSON.parse(secretOf('rabbitmq')['definitions.json'] ?? '');
    return new Map<string, string>(
      users.map((user: { name: string; password_hash: string }) => [user.name, user.password_hash]),
    );
  };
  // Verified as RabbitMQ does: the first four bytes of the stored value are the salt.
  const hashOfPassword = (password: string) => {
    const salt = createHash('sha256').update(password).digest().subarray(0, 4);
    const hash = createHash('sha256').update(salt).update(password).digest();
    return Buffer.concat([salt, hash]).toString('base64');
  };

  test('the RabbitMQ definitions match the code', async () => {
    const path = new URL('../../k8s/platform/rabbitmq/definitions.json', import.meta.url);
    if (process.env.WRITE_DOCS) await writeFile(path, `${JSON.stringify(rabbitDefinitions(), null, 2)}\n`);
    expect(JSON.parse(await readFile(path, 'utf8')), 'run: WRITE_DOCS=1 npm run check -- manifests').toEqual(
      JSON.parse(JSON.stringify(rabbitDefinitions())),
    );
    expect(JSON.parse(secretOf('rabbitmq')['definitions.json'] ?? '')).toMatchObject(rabbitDefinitions());
  });

  test('every pair of processes shares a key that no third process has', () => {
    const keys = new Map(
      processes.map((name) => {
        const pairs = (secretOf(name).SERVICE_KEYS ?? '').split(',').map((pair) => pair.split('='));
        return [name, Object.fromEntries(pairs) as Record<string, string>];
      }),
    );
    const others = (name: string) => processes.filter((other) => other !== name);
    for (const name of processes) {
      expect(Object.keys(keys.get(name) ?? {}).toSorted()).toEqual(others(name).toSorted());
      for (const peer of others(name)) expect(keys.get(name)?.[peer]).toBe(keys.get(peer)?.[name]);
    }
    const all = [...keys.values()].flatMap((each) => Object.values(each));
    expect(new Set(all).size).toBe(all.length / 2);
  });

  test('each service has its own database role and file key', () => {
    const services = schemas.filter((schema) => schema !== 'broker');
    const urls = services.map((name) => new URL(secretOf(name).DATABASE_URL ?? ''));
    expect(urls.map(({ username }) => username)).toEqual(services.map((name) => `gradeway_${name}`));
    expect(new Set(urls.map(({ password }) => password)).size).toBe(services.length);
    expect(secretOf('quiz').FILE_URL_SECRET).not.toBe(secretOf('homework').FILE_URL_SECRET);
  });

  test("the credentials match the platform's PostgreSQL, RabbitMQ and Valkey", () => {
    const services = ['auth', 'courses', 'homework', 'quiz'] as const;
    for (const name of services) {
      const database = new URL(secretOf(name).DATABASE_URL ?? '');
      expect(find('overlays/all', 'Service', database.hostname).spec.ports[0].port).toBe(
        Number(database.port),
      );
      expect(secretOf('postgres')[`${name.toUpperCase()}_PASSWORD`]).toBe(database.password);
      const events = new URL(secretOf(name).EVENTS_URL ?? '');
      expect(find('overlays/all', 'Service', events.hostname).spec.ports[0].port).toBe(Number(events.port));
      expect([events.username, hashOfPassword(events.password)]).toEqual([
        rabbitUserOf(name),
        usersOfRabbit().get(rabbitUserOf(name)),
      ]);
    }
    const limits = new URL(secretOf('gateway').RATE_LIMIT_URL ?? '');
    expect(find('overlays/all', 'Service', limits.hostname).spec.ports[0].port).toBe(Number(limits.port));
    expect(secretOf('valkey').VALKEY_PASSWORD).toBe(limits.password);
    expect([...usersOfRabbit().keys()]).toEqual(brokerClients.map(rabbitUserOf));
    const { env } = find('overlays/all', 'StatefulSet', 'postgres').spec.template.spec.containers[0];
    expect(env).toContainEqual({ name: 'POSTGRES_DB', value: 'gradeway' });
    expect(new URL(secretOf('quiz').DATABASE_URL ?? '').pathname).toBe('/gradeway');
  });
});
