import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';
import { generateRecoveryCode, hashRecoveryCode, recoveryCodeCount } from './recoveryCode.ts';
import { matchSecondFactor, type SecondFactorDependencies } from './secondFactor.ts';

type Dependencies = SecondFactorDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'factorChangeLimiter' | 'audit'>;

/**
 * Enables a requested second factor after its first code and returns the recovery codes, which cannot be read again.
 * The code counts as used.
 */
export async function confirmTotp(
  dependencies: Dependencies,
  { userId }: Principal,
  code: string,
): Promise<string[]> {
  const { sequelize, totpFactors, factorChangeLimiter, audit } = dependencies;
  const factor = await totpFactors.find(userId);
  if (!factor || factor.isConfirmed) throw notFound();
  const proof = await factorChangeLimiter.limitFailures(String(userId), () =>
    matchSecondFactor(dependencies, factor, code),
  );
  if (!proof || !('step' in proof)) throw incorrectCode();
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, generateRecoveryCode);
  const hashes = recoveryCodes.map(hashRecoveryCode);
  await inTransaction(sequelize, async (transaction) => {
    if (!(await totpFactors.confirm(factor, proof.step, hashes, transaction))) throw incorrectCode();
    await audit.record(
      { action: 'second_factor.enabled', object: { type: 'user', id: userId } },
      transaction,
    );
  });
  return recoveryCodes;
}

export const incorrectCode = () => invalid({ code: ['The code is incorrect.'] });
