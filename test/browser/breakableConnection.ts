import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface BreakableConnection {
  /** The system behind the connection. */
  baseUrl: string;
  /** From now on nothing breaks. */
  mend(): void;
}

/** More than any request has that is no upload. */
const mostBytes = 60_000;

/**
 * A way to the system on which uploads break when a part of them has been sent, until it is repaired. A browser sends a request
 * again by itself when it was lost on a connection that had served others. Ends with the test.
 */
export async function openBreakableConnection(target: string): Promise<BreakableConnection> {
  const { hostname, port } = new URL(target);
  let isMended = false;
  const server = createServer((client) => {
    const system = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      system.destroy();
    };
    let bytes = 0;
    client.on('data', (chunk) => {
      bytes += chunk.length;
      if (isMended || bytes < mostBytes) return;
      client.resetAndDestroy();
      system.destroy();
    });
    for (const socket of [client, system]) socket.on('error', end).on('close', end);
    client.pipe(system).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}`,
    mend: () => {
      isMended = true;
    },
  };
}
