import type { Logger } from '@gradeway/shared/process/logger';
import type { CodeDelivery } from '../clients/loginCodeDelivery.ts';
import type { AttemptLimit } from '../data/attemptLimiter.ts';
import type { LoginCodeRepository } from '../data/loginCodeRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import { codeLifetimeSeconds, makeCode } from './loginCode.ts';
import { type Identifier, keyOf, readIdentifier } from './loginIdentifier.ts';
import type { Passwords } from './passwordHasher.ts';
import type { User } from './user.ts';

interface Dependencies {
  users: UserRepository;
  loginCodes: LoginCodeRepository;
  passwords: Passwords;
  codeRequests: AttemptLimit;
  delivery: CodeDelivery;
  log: Logger;
  /** Goes on with something after the answer. */
  later(what: string, work: () => Promise<void>): void;
}

/**
 * Sends a one-time code to the owner of an account, if there is one (D16). The caller learns nothing of that, not
 * even from the time that it takes: whatever differs happens after the answer.
 */
export async function sendLoginCode(dependencies: Dependencies, email: string): Promise<void> {
  const identifier = readIdentifier(email);
  if (await dependencies.codeRequests.allows(keyOf(identifier)))
    dependencies.later('a login code', () => makeAndDeliver(dependencies, identifier));
}

async function makeAndDeliver(dependencies: Dependencies, identifier: Identifier): Promise<void> {
  const { loginCodes, passwords, delivery } = dependencies;
  const recipient = await findRecipient(dependencies, identifier);
  const code = makeCode();
  const codeHash = await passwords.hash(code);
  const values = { key: keyOf(identifier), userId: recipient?.id ?? null, codeHash };
  await loginCodes.put({ ...values, lifetimeSeconds: codeLifetimeSeconds });
  if (recipient) await delivery.deliver(code, recipient);
}

async function findRecipient(
  { users, delivery, log }: Dependencies,
  identifier: Identifier,
): Promise<User | undefined> {
  const user = await users.findByIdentifier(identifier);
  if (!user || delivery.reaches(user)) return user;
  log.warn({ user_id: user.id }, 'no login code for an account without an address');
  return undefined;
}
