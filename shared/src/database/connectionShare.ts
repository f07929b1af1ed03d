import type { Sequelize } from 'sequelize';
import { requestContext } from '../process/requestContext.ts';
import { Semaphore } from '../process/semaphore.ts';
import { wrapPool } from './connectionPool.ts';

/**
 * Limits the connections of requests that share them (`shareConnections`), so that all other requests get one at once,
 * however many uploads and downloads are running. Waiting transfers are served round-robin by user. Each connection
 * returns to the pool within its timeouts.
 */
export function limitShare(sequelize: Sequelize, connections: number): void {
  const semaphore = new Semaphore({ slots: connections });
  const releaseOf = new WeakMap<object, () => void>();
  const giveBack = (connection: object) => {
    releaseOf.get(connection)?.();
    releaseOf.delete(connection);
  };

  wrapPool(sequelize, ({ getConnection, releaseConnection, destroyConnection }) => ({
    async getConnection(options) {
      const context = requestContext.getStore();
      if (!context?.sharesConnections) return getConnection(options);
      const release = await semaphore.acquire(context.actor?.userId ?? 0);
      try {
        const connection = await getConnection(options);
        releaseOf.set(connection, release);
        return connection;
      } catch (error) {
        release();
        throw error;
      }
    },
    releaseConnection(connection) {
      giveBack(connection);
      releaseConnection(connection);
    },
    destroyConnection(connection) {
      giveBack(connection);
      return destroyConnection(connection);
    },
  }));
}
