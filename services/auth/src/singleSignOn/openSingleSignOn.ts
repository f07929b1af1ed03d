import type { Sequelize } from 'sequelize';
import { OidcProvider } from './clients/oidcProvider.ts';
import type { ProviderSettings } from './config.ts';
import { IdentityRepository } from './data/identityRepository.ts';
import { SignInRepository } from './data/signInRepository.ts';
import { SsoSessionRepository } from './data/ssoSessionRepository.ts';
import type { SingleSignOnDependencies } from './dependencies.ts';
import { createPasswordPolicy } from './domain/passwordPolicy.ts';
import { declareProviders } from './signInMetrics.ts';

interface Config {
  oidcProviders: ProviderSettings[];
  allowsPasswords: boolean;
}

/** Sets up single sign-on. Does not connect to any provider: each is called when someone signs in with it. */
export function openSingleSignOn(sequelize: Sequelize, config: Config): SingleSignOnDependencies {
  declareProviders(config.oidcProviders.map(({ id }) => id));
  return {
    providers: new Map(config.oidcProviders.map((settings) => [settings.id, new OidcProvider(settings)])),
    identities: new IdentityRepository(sequelize),
    signIns: new SignInRepository(sequelize),
    ssoSessions: new SsoSessionRepository(sequelize),
    passwordPolicy: createPasswordPolicy(config),
  };
}
