import type { ServiceDependencies } from '../dependencies.ts';
import { attemptedAccount } from './attemptedAccount.ts';
import { codeLifetimeSeconds, generateLoginCode } from './loginCode.ts';
import { hashLoginIdentifier, type LoginIdentifier, parseLoginIdentifier } from './loginIdentifier.ts';
import { hasUnprovenAddress, type User } from './user.ts';

type Dependencies = Pick<
  ServiceDependencies,
  | 'users'
  | 'loginCodes'
  | 'passwordHasher'
  | 'codeRequestLimiter'
  | 'loginCodeDelivery'
  | 'backgroundTasks'
  | 'passwordPolicy'
  | 'log'
>;

/**
 * Sends a one-time code to the owner of an account, if the account exists (D16). The caller cannot tell whether it
 * does, not even from the duration: any additional work for an existing account runs in the background.
 */
export async function sendLoginCode(dependencies: Dependencies, email: string): Promise<void> {
  const { users, codeRequestLimiter, backgroundTasks } = dependencies;
  const identifier = parseLoginIdentifier(email);
  const user = await users.findByIdentifier(identifier);
  if (await codeRequestLimiter.tryAcquire(attemptedAccount(user, identifier)))
    backgroundTasks.start('login code delivery', () => createAndDeliver(dependencies, identifier, user));
}

async function createAndDeliver(
  dependencies: Dependencies,
  identifier: LoginIdentifier,
  user: User | undefined,
): Promise<void> {
  const { loginCodes, passwordHasher, loginCodeDelivery } = dependencies;
  const recipient = isReachable(dependencies, user) ? user : undefined;
  const code = generateLoginCode();
  await loginCodes.save({
    key: hashLoginIdentifier(identifier),
    userId: recipient?.id ?? null,
    codeHash: await passwordHasher.hash(code),
    lifetimeSeconds: codeLifetimeSeconds,
  });
  if (recipient) await loginCodeDelivery.deliver(code, recipient);
}

function isReachable(
  { loginCodeDelivery, passwordPolicy, log }: Dependencies,
  user: User | undefined,
): boolean {
  // Whoever owns an unproven address would otherwise enter the account of the person who claimed it.
  if (user && (passwordPolicy.refuses(user) || hasUnprovenAddress(user))) return false;
  if (!user || loginCodeDelivery.canReach(user)) return true;
  log.warn({ user_id: user.id }, 'could not send a login code: the account has no email address');
  return false;
}
