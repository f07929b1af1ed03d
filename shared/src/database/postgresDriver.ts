import pg, { type ClientConfig } from 'pg';

/*
 * Sequelize listens for errors of a connection one tick after it has become ready. If a server that shuts down ends the
 * connection in the same packet, the error would find no listener, which ends the process. With a listener from the beginning
 * the first query fails instead.
 */
class Client extends pg.Client {
  constructor(config: ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/** The `pg` package with {@link Client}, for Sequelize's option `dialectModule`. */
export const postgresDriver = Object.create(pg, { Client: { value: Client } }) as typeof pg;
