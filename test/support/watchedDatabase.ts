import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { readStatements } from './postgresMessages.ts';

export interface WatchedDatabase {
  url: string;
  /** The statements since the last call, except periodic ones and statements that publish and consume events. */
  takeStatements(): string[];
  close(): void;
}

// The relay of the outbox, the consumer, webhooks, erasures, imports, signing keys, revocations, sweeps,
// scheduled releases and readiness checks.
const background =
  /^\s*(UPDATE outbox|DELETE FROM outbox|SELECT 1$|SELECT FROM \w+ WHERE release_at)|^(?!\s*INSERT INTO audit\.entries)[\s\S]*\b(inbox|erasures|imports|webhook_\w+|signing_keys|revocations|files_leftover|attached_at IS NULL AND removed_at IS NULL AND created_at)\b/;

/** A proxy between a service and Postgres that records the statements. */
export async function watchDatabase(url: string): Promise<WatchedDatabase> {
  const target = new URL(url);
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const postgres = connect(Number(target.port), target.hostname);
    client.on(
      'data',
      readStatements((sql) => statements.push(sql)),
    );
    client.pipe(postgres).pipe(client);
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on('error', () => {
        client.destroy();
        postgres.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const watched = new URL(url);
  watched.hostname = '127.0.0.1';
  watched.port = String((server.address() as AddressInfo).port);
  return {
    url: watched.href,
    takeStatements: () => statements.splice(0).filter((sql) => !background.test(sql)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
