import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A message of PostgreSQL's protocol: its type, its length and its fields. */
function message(type: string, ...fields: (string | number)[]): Buffer {
  const body = Buffer.concat(
    fields.map((field) => {
      if (typeof field === 'string') return Buffer.from(field);
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(field);
      return bytes;
    }),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const shutDown = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command'];

test('a connection that ends in the packet that makes it ready fails the query, not the process', async () => {
  server = createServer((socket: Socket) => {
    const ready = [message('R', 0), message('S', 'server_version\0', '18.0\0'), message('Z', 'I')];
    const ended = message('E', ...shutDown.map((field) => `${field}\0`), '\0');
    socket.once('data', () => socket.end(Buffer.concat([...ready, ended])));
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uncaught: unknown[] = [];
  const record = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', record);
  const { port } = server.address() as AddressInfo;
  const sequelize = openDatabase({
    url: `postgres://user:password@127.0.0.1:${port}/database`,
    name: 'test',
    pool: 1,
  });
  await expect(sequelize.query('SELECT 1')).rejects.toThrow('Client has encountered a connection error');
  await sequelize.close();
  process.off('uncaughtException', record);
  expect(uncaught).toEqual([]);
});
