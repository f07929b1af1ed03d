import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface WatchedDatabase {
  url: string;
  /** The statements that came since the last call, but those of the outbox and the inbox, which run by themselves. */
  takeStatements(): string[];
  close(): void;
}

/** Stands between a service and Postgres and reads along what is asked. */
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
    takeStatements: () =>
      statements.splice(0).filter((sql) => !/\b(outbox|inbox|files_leftover)\b/.test(sql)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

// Messages of a client: a type (but the first, which has none), a length, and for Query and Parse the statement. A
// prepared one is parsed once under its name, and each time it is run its name stands in Bind.
function readStatements(tell: (sql: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let started = false;
  const prepared = new Map<string, string>();
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return;
      const end = header + rest.readUInt32BE(header);
      if (rest.length < end) return;
      const type = started ? String.fromCharCode(rest[0] ?? 0) : '';
      const words = rest
        .subarray(header + 4, end)
        .toString()
        .split('\0');
      if (type === 'Q') tell(words[0] ?? '');
      if (type === 'P') prepared.set(words[0] ?? '', words[1] ?? '');
      if (type === 'B') tell(prepared.get(words[1] ?? '') ?? '');
      rest = rest.subarray(end);
      started = true;
    }
  };
}
