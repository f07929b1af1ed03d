import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize, Transaction } from 'sequelize';
import type { SigningKeyRepository, StoredKey } from '../data/signingKeyRepository.ts';
import { sealPrivateKey } from './encryptedPrivateKey.ts';
import { isRetired, isSpent, isSuccessorDue, startOfSuccessor } from './keyRotationSchedule.ts';

interface Dependencies {
  sequelize: Sequelize;
  signingKeys: SigningKeyRepository;
  /** What the private keys are encrypted with. */
  secret: string;
}

interface RotationDependencies extends Dependencies {
  log: Logger;
  /** How long a key signs before its successor is made, in milliseconds. */
  keyAgeMs: number;
  /** How long after it was signed a token can still be refreshed, in milliseconds. */
  tokenLifeMs: number;
}

/**
 * Does what is due: makes the next key, forgets the private part of one that signs no more, takes one out of use whose
 * tokens nobody can use any more. Replicas take turns, and each looks again when it is its turn: together they make one successor.
 */
export async function rotateWhenDue(dependencies: RotationDependencies): Promise<void> {
  const { sequelize, signingKeys, log } = dependencies;
  if (!isAnythingDue(dueOf(await signingKeys.all(), dependencies))) return;
  await inTransaction(sequelize, async (transaction) => {
    await signingKeys.lock(transaction);
    const keys = await signingKeys.all(transaction);
    const due = dueOf(keys, dependencies);
    if (due.successor) {
      const { kid, signsFrom } = await addKey(dependencies, keys, transaction);
      log.info({ kid, signs_from: signsFrom }, 'a new signing key');
    }
    await signingKeys.erasePrivate(due.retired, transaction);
    await signingKeys.markSpent(due.spent, transaction);
  });
}

/** Makes the next key now, whatever the age of the present one; or tells of the one that is waiting already. */
export function rotateNow(dependencies: Dependencies): Promise<{ signsFrom: Date; isNew: boolean }> {
  const { sequelize, signingKeys } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    await signingKeys.lock(transaction);
    const keys = await signingKeys.all(transaction);
    const waiting = keys.find(({ signsFrom }) => signsFrom > new Date());
    if (waiting) return { signsFrom: waiting.signsFrom, isNew: false };
    const { signsFrom } = await addKey(dependencies, keys, transaction);
    return { signsFrom, isNew: true };
  });
}

async function addKey({ signingKeys, secret }: Dependencies, keys: StoredKey[], transaction: Transaction) {
  const kid = randomUUID();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const sealedPrivateKey = await sealPrivateKey(privateKey, kid, secret);
  const signsFrom = startOfSuccessor(keys, Date.now());
  const key = { kid, publicJwk: publicKey.export({ format: 'jwk' }), sealedPrivateKey, signsFrom };
  await signingKeys.add(key, transaction);
  return key;
}

interface Due {
  successor: boolean;
  retired: string[];
  spent: string[];
}

function dueOf(keys: StoredKey[], { keyAgeMs, tokenLifeMs }: RotationDependencies): Due {
  const now = Date.now();
  const kids = (chosen: StoredKey[]) => chosen.map(({ kid }) => kid);
  return {
    successor: isSuccessorDue(keys, now, keyAgeMs),
    retired: kids(keys.filter((key) => key.sealedPrivateKey && isRetired(key, keys, now))),
    spent: kids(keys.filter((key) => isSpent(key, keys, now, tokenLifeMs))),
  };
}

const isAnythingDue = ({ successor, retired, spent }: Due): boolean =>
  successor || retired.length > 0 || spent.length > 0;
