import { Socket } from 'node:net';
import pg, { type ClientConfig } from 'pg';
import { batchWrites } from '../v8/batchWrites.ts';

/*
 * Sequelize listens for errors of a connection one tick after it has become ready. If a server that shuts down ends the
 * connection in the same packet, the error would find no listener, which ends the process. With a listener from the beginning
 * the first query fails instead.
 */
class Client extends pg.Client {
  constructor(config: ClientConfig) {
    // Only `selectPipelined` sends a query before the previous one's result.
    super({ ...config, stream: openSocket, pipeline: true });
    this.on('error', () => {});
  }
}

function openSocket(): Socket {
  const socket = new Socket();
  batchWrites(socket);
  return socket;
}

/** The `pg` package with {@link Client}, for Sequelize's option `dialectModule`. */
export const postgresDriver = Object.create(pg, { Client: { value: Client } }) as typeof pg;
