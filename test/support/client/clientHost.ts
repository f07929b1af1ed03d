import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ClientHost {
  url: string;
  /** The requests so far, with the key that makes them idempotent. */
  requests: { method: string; path: string; key: string | undefined }[];
}

const page = `<!doctype html><link rel="icon" href="data:,"><title>client</title>
<script type="importmap">{ "imports": { "@gradeway/client": "/dist/index.js" } }</script>
<script type="module">
  import * as gradeway from '@gradeway/client';
  import { journey } from '/journey.js';
  window.runJourney = (input) => journey(gradeway, input);
</script>`;

/**
 * A host in front of the system, with a page and scripts for a browser, and with addresses that behave badly:
 * - below /cutting, the connection is cut after the system has handled the first request with a key
 * - below /busy, the first request to each path is refused with 503 and Retry-After
 * - below /silent, nothing reads or answers a request
 * It closes when the test ends.
 * @param files URL paths of scripts, and their files
 */
export async function startClientHost(
  target: string,
  files: Record<string, string> = {},
): Promise<ClientHost> {
  const requests: ClientHost['requests'] = [];
  const seen = new Set<string>();
  const isFirst = (what: string) => !seen.has(what) && Boolean(seen.add(what));

  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = '', url = '' } = incoming;
    const [, behavior = '', path = ''] = /^(?:\/(cutting|busy|silent))?(\/.*)$/.exec(url) ?? [];
    const key = incoming.headers['idempotency-key'] as string | undefined;
    requests.push({ method, path, key });
    if (behavior === 'silent') return incoming.pause();
    const file = files[path];
    if (path === '/page') return outgoing.setHeader('content-type', 'text/html').end(page);
    if (file) return outgoing.setHeader('content-type', 'text/javascript').end(await readFile(file));
    if (behavior === 'busy' && isFirst(`busy ${method} ${path}`)) {
      outgoing.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' });
      return outgoing.end('{"message":"Service Unavailable","errors":null}');
    }
    const cuts = behavior === 'cutting' && key !== undefined && isFirst(`cut ${key}`);
    return forward(target, { incoming, outgoing, path, cuts });
  };
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  path: string;
  cuts: boolean;
}

function forward(target: string, { incoming, outgoing, path, cuts }: Exchange): void {
  const url = new URL(path, target);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { ...incoming.headers, host: url.host };
  const upstream = request(url, { method: incoming.method, headers }, (response) => {
    if (cuts) {
      response.resume();
      response.once('end', () => outgoing.destroy());
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  upstream.once('error', () => outgoing.destroy());
  incoming.pipe(upstream);
}
