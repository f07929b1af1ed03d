import type { ServiceDependencies } from '../dependencies.ts';
import type { RevocationFeed } from '../domain/revocationFeed.ts';

/** The dependencies of this service's RPCs. */
export interface RpcDependencies
  extends Pick<
    ServiceDependencies,
    | 'users'
    | 'sessions'
    | 'apiTokens'
    | 'serviceAccounts'
    | 'revocations'
    | 'importDatabase'
    | 'imports'
    | 'passwordHasher'
    | 'receipts'
    | 'outbox'
  > {
  revocationFeed: RevocationFeed;
}
