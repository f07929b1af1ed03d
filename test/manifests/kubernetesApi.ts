import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Manifest } from './manifests.ts';

/** The kinds that Traefik watches, by the name in their path. */
const kinds: Record<string, string> = {
  backendtlspolicies: 'BackendTLSPolicy',
  configmaps: 'ConfigMap',
  endpointslices: 'EndpointSlice',
  gatewayclasses: 'GatewayClass',
  gateways: 'Gateway',
  grpcroutes: 'GRPCRoute',
  httproutes: 'HTTPRoute',
  namespaces: 'Namespace',
  referencegrants: 'ReferenceGrant',
  secrets: 'Secret',
  services: 'Service',
  tlsroutes: 'TLSRoute',
};

interface Selection {
  apiVersion: string;
  kind: string;
  items: object[];
}

/** A Kubernetes API with these objects, for Traefik. They never change, and every status is accepted. */
export async function serveKubernetesApi(objects: Manifest[]): Promise<{ url: string; close(): void }> {
  const served = objects.map((object, index) => ({
    ...object,
    metadata: { ...object.metadata, uid: `${index}`, generation: 1, resourceVersion: '1' },
  }));
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
    const [, apiVersion = '', name = ''] =
      /^\/apis?\/((?:[^/]+\/)?v\w+)\/(?:namespaces\/[^/]+\/)?(\w+)/.exec(pathname) ?? [];
    const kind = kinds[name] ?? '';
    res.setHeader('content-type', 'application/json');
    if (req.method !== 'GET') return void req.pipe(res);
    const items = served.filter((each) => each.apiVersion === apiVersion && each.kind === kind);
    const selection = { apiVersion, kind, items };
    if (searchParams.has('watch')) watch(res, selection, searchParams.has('sendInitialEvents'));
    else list(res, selection);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function list(res: ServerResponse, { apiVersion, kind, items }: Selection): void {
  res.end(JSON.stringify({ apiVersion, kind: `${kind}List`, metadata: { resourceVersion: '1' }, items }));
}

/** Leaves the response open. A client can ask for the objects first, up to a bookmark. */
function watch(res: ServerResponse, { apiVersion, kind, items }: Selection, sendsInitial: boolean): void {
  res.flushHeaders();
  if (!sendsInitial) return;
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const bookmark = { apiVersion, kind, metadata: { resourceVersion: '1', annotations } };
  const events = items.map((object) => ({ type: 'ADDED', object }));
  for (const event of [...events, { type: 'BOOKMARK', object: bookmark }])
    res.write(`${JSON.stringify(event)}\n`);
}
