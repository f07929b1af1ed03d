import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';
import { incorrectCode } from './confirmTotp.ts';
import { matchSecondFactor, type SecondFactorDependencies } from './secondFactor.ts';

type Dependencies = SecondFactorDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'factorChangeLimiter' | 'audit'>;

/** Disables a user's own second factor and deletes its recovery codes. Requires one of its codes. */
export async function deleteTotp(
  dependencies: Dependencies,
  { userId }: Principal,
  code: string,
): Promise<void> {
  const { sequelize, totpFactors, factorChangeLimiter, audit } = dependencies;
  const factor = await totpFactors.find(userId);
  if (!factor?.isConfirmed) throw notFound();
  const proof = await factorChangeLimiter.limitFailures(String(userId), () =>
    matchSecondFactor(dependencies, factor, code),
  );
  if (!proof) throw incorrectCode();
  await inTransaction(sequelize, async (transaction) => {
    if (!(await totpFactors.consume(userId, proof, transaction))) throw incorrectCode();
    await totpFactors.delete(userId, transaction);
    await audit.record(
      { action: 'second_factor.disabled', object: { type: 'user', id: userId } },
      transaction,
    );
  });
}
