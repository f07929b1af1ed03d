import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TokenOwner } from './apiToken.ts';

type Dependencies = Pick<ServiceDependencies, 'sequelize' | 'apiTokens' | 'audit'>;

/** Ends one token of an owner. Within 2 s of the commit, no process accepts it (D13). */
export function endToken(
  { sequelize, audit, apiTokens }: Dependencies,
  owner: TokenOwner,
  id: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    if ((await apiTokens.end(owner, id, transaction)) === 0) throw notFound();
    await audit.record({ action: 'token.ended', object: { type: 'token', id } }, transaction);
  });
}
