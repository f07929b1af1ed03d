import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface BreakableConnection {
  /** The URL of the system through this connection. */
  baseUrl: string;
  /** Stops breaking uploads. */
  mend(): void;
}

/** Larger than any request except an upload. */
const mostBytes = 60_000;

/**
 * A proxy to the system that breaks each upload partway through until it is repaired. The browser itself resends a
 * request that was lost on a reused connection. The proxy closes when the test ends.
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
