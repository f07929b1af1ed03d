import type { Sequelize } from 'sequelize';
import { FairQueue } from '../process/fairQueue.ts';
import { requestContext } from '../process/requestContext.ts';

interface Manager {
  getConnection(options: object): Promise<object>;
  releaseConnection(connection: object): void;
  destroyConnection(connection: object): Promise<void>;
}

/**
 * Limits the connections of requests that share them (`shareConnections`), so that all others find one at once, however
 * many uploads and downloads there are. Those wait and are served round-robin by user; each connection comes back within its
 * timeouts.
 */
export function limitShare(sequelize: Sequelize, atOnce: number): void {
  // Not in Sequelize's types. All of its queries and transactions, and selectPrepared, use these methods.
  const manager = sequelize.connectionManager as unknown as Manager;
  const [getConnection, releaseConnection, destroyConnection] = [
    manager.getConnection.bind(manager),
    manager.releaseConnection.bind(manager),
    manager.destroyConnection.bind(manager),
  ];
  const queue = new FairQueue({ atOnce, perUser: atOnce });
  const leaveOf = new WeakMap<object, () => void>();
  const giveBack = (connection: object) => {
    leaveOf.get(connection)?.();
    leaveOf.delete(connection);
  };

  manager.getConnection = async (options) => {
    const context = requestContext.getStore();
    if (!context?.sharesConnections) return getConnection(options);
    const leave = await queue.enter(context.actor?.userId ?? 0);
    try {
      const connection = await getConnection(options);
      leaveOf.set(connection, leave);
      return connection;
    } catch (error) {
      leave();
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
