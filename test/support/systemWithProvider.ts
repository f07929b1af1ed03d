import { freePort } from '@gradeway/local/ports';
import { type LocalSystem, startLocalSystem } from './localSystem.ts';
import { type OidcServer, startOidcServer } from './oidcServer.ts';

export interface SystemWithProvider {
  system: LocalSystem;
  provider: OidcServer;
  close(): Promise<void>;
}

/** Starts the whole system with the OpenID provider `school`. `settings` are further properties of the provider. */
export async function startSystemWithProvider(
  settings: object,
  env: Record<string, string> = {},
): Promise<SystemWithProvider> {
  const port = env.PORT ?? String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startOidcServer({ origin, id: 'school' });
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  const school = { id: 'school', name: 'School', issuer, client_id, client_secret, ...settings };
  const system = await startLocalSystem({
    PORT: port,
    PUBLIC_URL: origin,
    RATE_LIMIT_PER_MINUTE: '0',
    OIDC_PROVIDERS: JSON.stringify([school]),
    ...env,
  });
  return {
    ...{ system, provider },
    async close() {
      await system.remove();
      await provider.close();
    },
  };
}
