import type { Sequelize } from 'sequelize';
import { requestContext } from '../process/requestContext.ts';
import { Semaphore } from '../process/semaphore.ts';

interface Manager {
  getConnection(options: object): Promise<object>;
  releaseConnection(connection: object): void;
  destroyConnection(connection: object): Promise<void>;
}

/**
 * Limits the connections of requests that share them (`shareConnections`), so that all other requests get one at once,
 * however many uploads and downloads are running. Waiting transfers are served round-robin by user. Each connection
 * returns to the pool within its timeouts.
 */
export function limitShare(sequelize: Sequelize, connections: number): void {
  // Not in Sequelize's types. Sequelize's queries and transactions, and selectPrepared, all use these methods.
  const manager = sequelize.connectionManager as unknown as Manager;
  const [getConnection, releaseConnection, destroyConnection] = [
    manager.getConnection.bind(manager),
    manager.releaseConnection.bind(manager),
    manager.destroyConnection.bind(manager),
  ];
  const semaphore = new Semaphore({ slots: connections });
  const releaseOf = new WeakMap<object, () => void>();
  const giveBack = (connection: object) => {
    releaseOf.get(connection)?.();
    releaseOf.delete(connection);
  };

  manager.getConnection = async (options) => {
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
  };
  manager.releaseConnection = (connection) => {
    giveBack(connection);
    releaseConnection(connection);
  };
  manager.destroyConnection = (connection) => {
    giveBack(connection);
    return destroyConnection(connection);
  };
}
