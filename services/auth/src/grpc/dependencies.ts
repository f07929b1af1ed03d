import type { ServiceDependencies } from '../dependencies.ts';
import type { RevocationFeed } from '../domain/revocationFeed.ts';
import type { SignInRpcDependencies } from '../singleSignOn/grpc/signInRpcs.ts';

/** The dependencies of this service's RPCs. */
export interface RpcDependencies
  extends SignInRpcDependencies,
    Pick<
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
