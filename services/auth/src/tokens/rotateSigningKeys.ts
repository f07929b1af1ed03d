import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize, Transaction } from 'sequelize';
import type { SigningKeyRepository, StoredKey } from '../data/signingKeyRepository.ts';
import { encryptPrivateKey } from './encryptedPrivateKey.ts';
import { isRetired, isSpent, isSuccessorDue, successorSignsFrom } from './keyRotationSchedule.ts';

// How long a key signs before its successor is created.
const keyAgeMs = 90 * 86_400_000;

interface Dependencies {
  sequelize: Sequelize;
  signingKeys: SigningKeyRepository;
  /** Encrypts the private keys. */
  secret: string;
}

interface RotationDependencies extends Dependencies {
  log: Logger;
  /** How long a token can be refreshed after it was signed, in milliseconds. */
  tokenLifeMs: number;
}

/**
 * Performs the due steps of the rotation: creates the next key, erases the private part of retired keys and marks spent
 * ones. Each replica checks again under the lock, so that together they create only one successor.
 */
export async function rotateIfDue(dependencies: RotationDependencies): Promise<void> {
  const { sequelize, signingKeys, log } = dependencies;
  if (!isAnythingDue(await findDueSteps(await signingKeys.findUsable(), dependencies))) return;
  await inTransaction(sequelize, async (transaction) => {
    await signingKeys.lock(transaction);
    const keys = await signingKeys.findUsable(transaction);
    const due = await findDueSteps(keys, dependencies, transaction);
    if (due.successor) {
      const { kid, signsFrom } = await createKey(dependencies, keys, transaction);
      log.info({ kid, signs_from: signsFrom }, 'created a new signing key');
    }
    await signingKeys.erasePrivateKeys(due.retired, transaction);
    await signingKeys.markSpent(due.spent, transaction);
  });
}

/** Creates the next key regardless of the current one's age, unless a successor is already pending. */
export function rotateNow(dependencies: Dependencies): Promise<{ signsFrom: Date; isNew: boolean }> {
  const { sequelize, signingKeys } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    await signingKeys.lock(transaction);
    const keys = await signingKeys.findUsable(transaction);
    const pending = keys.find(({ signsFrom }) => signsFrom > new Date());
    if (pending) return { signsFrom: pending.signsFrom, isNew: false };
    const { signsFrom } = await createKey(dependencies, keys, transaction);
    return { signsFrom, isNew: true };
  });
}

/**
 * Revokes every key, because they may have leaked, and creates one that signs immediately. All sessions and all tokens for programs end, and
 * receipts signed so far no longer verify, because a thief could have signed them too. Returns the number of revoked
 * keys.
 */
export function revokeAndReplaceKeys(dependencies: Dependencies): Promise<number> {
  const { sequelize, signingKeys } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    await signingKeys.lock(transaction);
    const revoked = await signingKeys.revokeAll(transaction);
    // Without other keys, it signs from now on. Replicas whose clocks are behind must not find that no key signs yet.
    await createKey(dependencies, [], transaction, Date.now() - clockSkewMs);
    return revoked;
  });
}

const clockSkewMs = 60_000;

async function createKey(
  { signingKeys, secret }: Dependencies,
  keys: StoredKey[],
  transaction: Transaction,
  now = Date.now(),
) {
  const kid = randomUUID();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = {
    kid,
    publicJwk: publicKey.export({ format: 'jwk' }),
    encryptedPrivateKey: await encryptPrivateKey(privateKey, kid, secret),
    signsFrom: successorSignsFrom(keys, now),
  };
  await signingKeys.create(key, transaction);
  return key;
}

interface DueSteps {
  successor: boolean;
  retired: string[];
  spent: string[];
}

async function findDueSteps(
  keys: StoredKey[],
  { signingKeys, tokenLifeMs }: RotationDependencies,
  transaction?: Transaction,
): Promise<DueSteps> {
  const now = Date.now();
  const kids = (selected: StoredKey[]) => selected.map(({ kid }) => kid);
  // Tokens for programs live for up to a year, longer than a session without a refresh.
  const spent = kids(keys.filter((key) => isSpent(key, keys, now, tokenLifeMs)));
  const needed = await signingKeys.findNeeded(spent, transaction);
  return {
    successor: isSuccessorDue(keys, now, keyAgeMs),
    retired: kids(keys.filter((key) => key.encryptedPrivateKey && isRetired(key, keys, now))),
    spent: spent.filter((kid) => !needed.includes(kid)),
  };
}

const isAnythingDue = ({ successor, retired, spent }: DueSteps): boolean =>
  successor || retired.length > 0 || spent.length > 0;
