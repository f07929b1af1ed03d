import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { readStatements } from './postgresMessages.ts';

/** When Postgres gets the COMMIT: before the connection is cut, never, or seconds after the service has noticed the cut. */
export type Cut = 'committed' | 'not committed' | 'committed late';

// Longer than the lock timeout of the service (shared/src/database/connection.ts).
const lateMs = 6_000;

export interface LostCommits {
  url: string;
  /** Cuts the connection of the next transaction that runs a matching statement, at its COMMIT. */
  cutNext(statement: RegExp, cut: Cut): void;
  /** The number of connections that were cut. */
  cuts(): number;
  close(): void;
}

/** A proxy between a service and Postgres that loses the response to a COMMIT. */
export async function loseCommits(url: string): Promise<LostCommits> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let next: { statement: RegExp; cut: Cut } | undefined;
  let cuts = 0;

  const server = createServer((client) => {
    const postgres = connect(Number(target.port), target.hostname);
    const destroy = () => {
      client.destroy();
      postgres.destroy();
    };
    let chosen: Cut | undefined;
    let lost: Cut | undefined;
    const read = readStatements((sql) => {
      if (next?.statement.test(sql)) {
        chosen = next.cut;
        next = undefined;
      }
      if (/^COMMIT/i.test(sql)) lost = chosen;
    });
    client.on('data', (chunk: Buffer) => {
      read(chunk);
      if (lost) cuts += 1;
      if (lost === 'not committed') destroy();
      else if (lost === 'committed late') {
        client.destroy();
        setTimeout(() => postgres.write(chunk), lateMs);
      } else postgres.write(chunk);
    });
    // The response to the COMMIT proves that it took effect; it is not forwarded.
    postgres.on('data', (chunk: Buffer) => (lost ? destroy() : client.write(chunk)));
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on('error', destroy);
      socket.on('close', () => lost === 'committed late' || destroy());
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    cutNext: (statement, cut) => (next = { statement, cut }),
    cuts: () => cuts,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
