import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError, unavailable } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../../dependencies.ts';
import { type EndSessionsDependencies, endSessions } from '../../domain/endSessions.ts';
import type { OidcProvider } from '../clients/oidcProvider.ts';
import { isUnavailable } from '../clients/providerFetch.ts';
import { errorCode } from './errorCode.ts';

type Dependencies = EndSessionsDependencies & Pick<ServiceDependencies, 'sequelize' | 'ssoSessions' | 'log'>;

const maxAgeMs = 5 * 60_000;
const maxSkewMs = 60_000;

const refused = (reason: string) =>
  new AppError('malformed', 'Bad Request', { cause: new Error(`logout token refused: ${reason}`) });

/**
 * Ends the sessions that a logout token of a provider names (OpenID Connect Back-Channel Logout). Each token takes
 * effect once.
 * @throws AppError 400; 503 if the token cannot be verified because the provider is down
 */
export async function endProviderSessions(
  dependencies: Dependencies,
  provider: OidcProvider,
  token: string,
): Promise<void> {
  const { sequelize, ssoSessions, log } = dependencies;
  const logout = await provider.readLogoutToken(token).catch((error) => {
    throw isUnavailable(error) ? unavailable(new Error(errorCode(error))) : refused(errorCode(error));
  });
  const ageMs = Date.now() - logout.issuedAt.getTime();
  if (ageMs > maxAgeMs || ageMs < -maxSkewMs) throw refused('too old');
  const ended = await inTransaction(sequelize, async (transaction) => {
    if (!(await ssoSessions.useToken(logout, transaction))) throw refused('used before');
    const open = await ssoSessions.findOpen(logout, transaction);
    for (const { id, userId } of open) await endSessions(dependencies, { userId, only: id }, transaction);
    return open.map(({ id }) => id);
  });
  log.info({ provider: provider.settings.id, sessions: ended }, 'the provider ended sessions');
}
