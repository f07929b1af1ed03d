import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { waitFor } from './waitFor.ts';

/** A request that a receiver of webhooks got. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  /** Where it listens; any path below it is its own. */
  url: string;
  received: Received[];
  /** How it answers from now on; 204 unless it is told otherwise. */
  answer(listener: RequestListener): void;
  /** Waits until a path has got so many requests, and returns them. */
  waitFor(path: string, count: number, timeoutMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A program outside that receives webhooks over HTTP. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let listener: RequestListener = (_req, res) => res.writeHead(204).end();
  const server: Server = createServer(async (req, res) => {
    const body = (await buffer(req)).toString('utf8');
    received.push({ path: req.url ?? '', headers: plain(req.headers), body });
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (path: string) => received.filter((each) => each.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next) {
      listener = next;
    },
    async waitFor(path, count, timeoutMs = 10_000) {
      await waitFor(() => at(path).length >= count, timeoutMs);
      return at(path);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
