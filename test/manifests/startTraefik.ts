import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gradeway/local/ports';
import { parse } from 'yaml';
import { createCertificate } from './createCertificate.ts';
import { withGatewayDefaults } from './gatewayDefaults.ts';
import { serveKubernetesApi } from './kubernetesApi.ts';
import { allOf, find, type Manifest } from './manifests.ts';

const { image } = find('platform/traefik', 'Deployment', 'traefik').spec.template.spec.containers[0];
const cache = process.env.CONTAINER_HOST_DIR ?? '/var/tmp/container-host';

// Built by test/cluster/platform/build-traefik.
const traefikProgram = join(cache, image.replace(':', '-'), 'traefik');
export const hasTraefik = existsSync(traefikProgram);

const configText =
  allOf('platform/traefik', 'ConfigMap').find(({ data }) => data?.['traefik.yaml'])?.data?.['traefik.yaml'] ??
  '';
/** The static configuration, as platform/traefik mounts it. */
export const traefikConfig = parse(configText);

type Ports = Record<'http' | 'https', number>;

export interface Traefik {
  ports: Ports;
  /** A request by HTTPS, as a client of the school sends it. */
  request(path: string, options?: { method?: string; headers?: Record<string, string> }): ClientRequest;
  /** The status of a GET request. */
  get(path: string, headers?: Record<string, string>): Promise<number | undefined>;
  /** Everything that it has logged. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts Traefik with the Gateway and the routes of overlays/production, on free ports. Their backend is a port of the
 * loopback address.
 */
export async function startTraefik(host: string, gatewayPort: number): Promise<Traefik> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-traefik-'));
  const ports = { http: await freePort(), https: await freePort() };
  const admin = await freePort();
  const { key, certificate } = await createCertificate(directory, host);
  const tls = { 'tls.key': await readFile(key, 'utf8'), 'tls.crt': await readFile(certificate, 'utf8') };
  const api = await serveKubernetesApi(objectsFor(host, gatewayPort, ports, tls));

  let config = configText.replace('kubernetesGateway:\n', `kubernetesGateway:\n    endpoint: ${api.url}\n`);
  for (const [name, port] of Object.entries({ ...ports, admin })) {
    const { address } = traefikConfig.entryPoints[name];
    config = config.replace(`address: ${address}\n`, `address: 127.0.0.1:${port}\n`);
  }
  const file = join(directory, 'traefik.yaml');
  await writeFile(file, config);
  // Without the variables by which it would find another cluster.
  const child = spawn(traefikProgram, [`--configFile=${file}`], { env: {} });
  let log = '';
  const append = (text: Buffer) => {
    log += text;
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const request: Traefik['request'] = (path, { method = 'GET', headers } = {}) => {
    const place = {
      host: '127.0.0.1',
      port: ports.https,
      servername: host,
      ca: tls['tls.crt'],
      agent: false,
    };
    return requestByHttps({ ...place, method, path, headers: { host, ...headers } });
  };
  return {
    ports,
    request,
    get: (path, headers = {}) =>
      new Promise((resolve) => {
        const req = request(path, { headers }).on('error', () => resolve(undefined));
        req.on('response', (res) => res.resume().on('end', () => resolve(res.statusCode))).end();
      }),
    log: () => log,
    async stop() {
      // Otherwise it waits for transfers in progress.
      child.kill('SIGKILL');
      if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
      api.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The objects that Traefik finds in a cluster, with this host and these ports. */
function objectsFor(
  host: string,
  gatewayPort: number,
  ports: Ports,
  tls: Record<string, string>,
): Manifest[] {
  const applied = ['Namespace', 'Gateway', 'HTTPRoute'].flatMap((kind) => allOf('overlays/production', kind));
  const objects: Manifest[] = JSON.parse(
    JSON.stringify([...applied, ...allOf('platform/traefik', 'GatewayClass')]).replaceAll(
      'api.gradeway.example',
      host,
    ),
  );
  for (const { spec } of objects.filter(({ kind }) => kind === 'Gateway'))
    for (const listener of spec.listeners) listener.port = ports[listener.name as keyof typeof ports];
  const service = structuredClone(find('overlays/production', 'Service', 'gateway'));
  // The default, which an API server adds.
  for (const port of service.spec.ports) port.protocol ??= 'TCP';
  const { namespace = '' } = service.metadata;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const secret: Manifest & { type: string } = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'gateway-tls', namespace },
    type: 'kubernetes.io/tls',
    data: Object.fromEntries(Object.entries(tls).map(([name, text]) => [name, base64(text)])),
  };
  const endpoints = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'gateway-1', namespace, labels: { 'kubernetes.io/service-name': 'gateway' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: gatewayPort, protocol: 'TCP' }],
  };
  return [...objects.map(withGatewayDefaults), service, secret, endpoints];
}
