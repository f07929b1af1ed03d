import { createRemoteJWKSet, customFetch as joseFetch } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderSettings } from '../config.ts';
import { providerFetch } from './providerFetch.ts';

/** The signature algorithms accepted for a provider's tokens: asymmetric ones only. */
export const signatureAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
export const clockToleranceSeconds = 60;

const freshMs = 3_600_000;
// Anyone may send logout tokens: forged key ids must not become as many requests to the provider.
const logoutCooldownMs = 1_000;

/** Returns the public key that a token's header names, for jose's functions. */
type KeySet = ReturnType<typeof createRemoteJWKSet>;

export interface Discovered {
  configuration: oidc.Configuration;
  /** For ID tokens, which the provider itself sends: an unknown key id always fetches the keys again. */
  idTokenKeys: KeySet;
  logoutTokenKeys: KeySet;
}

/**
 * Reads a provider's configuration when it is first needed, and again after an hour. Nothing else waits for it: if a
 * provider is down, only its sign-ins fail, and the next sign-in tries again.
 */
export class DiscoveredProvider {
  readonly #settings: ProviderSettings;
  #known: Discovered | undefined;
  #freshUntil = 0;
  #pending: Promise<Discovered> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /** @throws Error if the provider is unavailable or its configuration is invalid, unless an earlier one is known */
  get(): Promise<Discovered> {
    const known = this.#known;
    if (known && performance.now() < this.#freshUntil) return Promise.resolve(known);
    this.#pending ??= this.#discover().finally(() => {
      this.#pending = undefined;
    });
    if (!known) return this.#pending;
    this.#pending.catch(() => {});
    return Promise.resolve(known);
  }

  async #discover(): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    // Only a provider on the same machine may use http (config.ts).
    const execute = server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const options = { [oidc.customFetch]: providerFetch, execute };
    const discovered = await oidc.discovery(server, clientId, undefined, undefined, options);
    const { supportsPKCE: _, ...found } = discovered.serverMetadata();
    const metadata = {
      ...found,
      id_token_signing_alg_values_supported: accepted(found.id_token_signing_alg_values_supported),
    };
    const client = { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds };
    const methods = found.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic(clientSecret)
      : oidc.ClientSecretPost(clientSecret);
    const configuration = new oidc.Configuration(metadata, clientId, client, authenticate);
    configuration[oidc.customFetch] = providerFetch;
    for (const extension of execute) extension(configuration);
    const keysUrl = new URL(found.jwks_uri ?? '');
    const keySet = (cooldownDuration: number) =>
      createRemoteJWKSet(keysUrl, { [joseFetch]: providerFetch, cooldownDuration });
    this.#known = {
      configuration,
      idTokenKeys: keySet(0),
      logoutTokenKeys: keySet(logoutCooldownMs),
    };
    this.#freshUntil = performance.now() + freshMs;
    return this.#known;
  }
}

// RS256 is the default of OpenID Connect.
const accepted = (advertised = ['RS256']): string[] =>
  advertised.filter((algorithm) => signatureAlgorithms.includes(algorithm));
