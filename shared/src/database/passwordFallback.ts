import type { Sequelize } from 'sequelize';
import { wrapPool } from './connectionPool.ts';

// invalid_password, invalid_authorization_specification: the server has another password, or the role does not exist.
const refusals = new Set(['28P01', '28000']);

/**
 * Makes new connections fall back to the role and password of `url` if the server rejects the first ones. This allows
 * replacing a password while processes run: a Postgres role has only one password, and processes do not all receive the
 * new one at the same time.
 */
export function fallBackTo(sequelize: Sequelize, url: string): void {
  const { username, password } = new URL(url);
  const role = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  wrapPool(sequelize, ({ connect }) => ({
    async connect(config) {
      try {
        return await connect(config);
      } catch (error) {
        if (!isRefused(error)) throw error;
        return connect({ ...config, ...role });
      }
    },
  }));
}

const isRefused = (error: unknown): boolean =>
  refusals.has(String((error as { parent?: { code?: unknown } }).parent?.code));
