import type { OidcProvider } from './clients/oidcProvider.ts';
import type { IdentityRepository } from './data/identityRepository.ts';
import type { SignInRepository } from './data/signInRepository.ts';
import type { SsoSessionRepository } from './data/ssoSessionRepository.ts';
import type { PasswordPolicy } from './domain/passwordPolicy.ts';

/** The additional dependencies of single sign-on's routes, RPCs and use cases. */
export interface SingleSignOnDependencies {
  /** By their ids. */
  providers: Map<string, OidcProvider>;
  identities: IdentityRepository;
  signIns: SignInRepository;
  ssoSessions: SsoSessionRepository;
  passwordPolicy: PasswordPolicy;
}
