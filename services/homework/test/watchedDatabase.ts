import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface WatchedDatabase {
  url: string;
  /** The statements since the last call, except the periodic ones on the outbox, the inbox and the files. */
  takeStatements(): string[];
  close(): void;
}

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
    takeStatements: () =>
      statements.splice(0).filter((sql) => !/\b(outbox|inbox|files_leftover)\b/.test(sql)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

// A message of the client has a type (except the first one), a length and a body. Query and Parse contain the
// statement; a prepared statement is parsed once under a name, and each Bind refers to that name.
function readStatements(onStatement: (sql: string) => void): (chunk: Buffer) => void {
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
      if (type === 'Q') onStatement(words[0] ?? '');
      if (type === 'P') prepared.set(words[0] ?? '', words[1] ?? '');
      if (type === 'B') onStatement(prepared.get(words[1] ?? '') ?? '');
      rest = rest.subarray(end);
      started = true;
    }
  };
}
