import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../../dependencies.ts';
import { type EndSessionsDependencies, endSessions } from '../../domain/endSessions.ts';
import {
  type ReauthenticationDependencies,
  requireReauthentication,
} from '../../domain/requireReauthentication.ts';

type Dependencies = EndSessionsDependencies &
  ReauthenticationDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'identities' | 'ssoSessions' | 'audit'>;

/** Removes an identity of the caller, and ends the other sessions that were opened with it. */
export async function removeIdentity(
  dependencies: Dependencies,
  caller: Principal,
  id: number,
): Promise<void> {
  const { sequelize, identities, ssoSessions, audit } = dependencies;
  const { userId, sessionId } = caller;
  await requireReauthentication(dependencies, caller);
  await inTransaction(sequelize, async (transaction) => {
    const removed = await identities.remove(id, userId, transaction);
    if (!removed) throw notFound();
    for (const session of await ssoSessions.findOpen(removed, transaction))
      if (session.id !== sessionId)
        await endSessions(dependencies, { userId, only: session.id }, transaction);
    await audit.record(
      {
        action: 'identity.removed',
        object: { type: 'user', id: userId },
        changes: { provider: [removed.provider, null] },
      },
      transaction,
    );
  });
}
