import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { waitFor } from './waitFor.ts';

export interface ReceivedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookReceiver {
  /** The base URL. Each test subscribes with its own path. */
  url: string;
  received: ReceivedRequest[];
  /** Sets its response from now on. The default is 204. */
  answer(listener: RequestListener): void;
  /** Waits until a path has received that many requests, and returns them. */
  waitFor(path: string, count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** Starts an HTTP server that records the webhooks it receives. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = [];
  let listener: RequestListener = (_req, res) => res.writeHead(204).end();
  const server: Server = createServer(async (req, res) => {
    const body = (await buffer(req)).toString('utf8');
    received.push({ path: req.url ?? '', headers: plain(req.headers), body });
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receivedAt = (path: string) => received.filter((each) => each.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next) {
      listener = next;
    },
    waitFor: (path, count, timeoutMs) =>
      waitFor(() => {
        const requests = receivedAt(path);
        return requests.length >= count && requests;
      }, timeoutMs),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
