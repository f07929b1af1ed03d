import { Socket } from 'node:net';
import pg, { type ClientConfig } from 'pg';
import { batchWrites } from '../v8/batchWrites.ts';

/*
 * Sequelize adds its error listener one tick after a connection becomes ready. If a server that is shutting down ends
 * the connection in the same packet, the error would find no listener and end the process. With a listener from the
 * start, the first query fails instead.
 */
class Client extends pg.Client {
  constructor(config: ClientConfig) {
    // Only `queryPipelined` sends a query before the previous result has arrived.
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
