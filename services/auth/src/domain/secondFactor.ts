import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import { invalidCredentials, SecondFactorRequired } from './loginErrors.ts';
import { hashRecoveryCode } from './recoveryCode.ts';
import { findTotpStep, type SecondFactorProof, type TotpFactor } from './totp.ts';

/** Max wrong codes per account within 15 minutes. Three of a million codes are valid at any time. */
export const maxSecondFactorFailures = 5;

export type SecondFactorDependencies = Pick<ServiceDependencies, 'totpFactors' | 'totpSecretCipher'>;

export type SecondFactorLoginDependencies = SecondFactorDependencies &
  Pick<ServiceDependencies, 'secondFactorLimiter'>;

/** Consumes the code in the transaction that opens the session. Returns false if it has been used in the meantime. */
type ConsumeSecondFactor = (transaction: Transaction) => Promise<boolean>;

/**
 * Verifies the second factor of a login whose first factor was correct. An account without a confirmed factor needs no
 * code.
 * @throws AppError `unauthenticated` if the code is missing or wrong; `too_many_requests` after too many wrong ones
 */
export async function verifySecondFactor(
  dependencies: SecondFactorLoginDependencies,
  userId: number,
  code: string | null | undefined,
): Promise<ConsumeSecondFactor> {
  const { totpFactors, secondFactorLimiter } = dependencies;
  const factor = await totpFactors.find(userId);
  if (!factor?.isConfirmed) return async () => true;
  if (!code) throw new SecondFactorRequired();
  const proof = await secondFactorLimiter.limitFailures(String(userId), () =>
    matchSecondFactor(dependencies, factor, code),
  );
  if (!proof) throw invalidCredentials();
  return (transaction) => totpFactors.consume(userId, proof, transaction);
}

const sixDigits = /^\d{6}$/;

/** Returns what a code proves; undefined if it is wrong or used. */
export async function matchSecondFactor(
  { totpFactors, totpSecretCipher }: SecondFactorDependencies,
  factor: TotpFactor,
  code: string,
): Promise<SecondFactorProof | undefined> {
  const digits = code.replace(/\s/g, '');
  if (sixDigits.test(digits)) {
    const secret = await totpSecretCipher.decrypt(factor.encryptedSecret, factor.userId);
    const step = findTotpStep({ secret, lastStep: factor.lastStep }, digits, new Date());
    return step === undefined ? undefined : { step };
  }
  const recoveryCodeHash = hashRecoveryCode(code);
  return (await totpFactors.hasRecoveryCode(factor.userId, recoveryCodeHash))
    ? { recoveryCodeHash }
    : undefined;
}
