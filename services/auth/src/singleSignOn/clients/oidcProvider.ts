import { compactVerify, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderSettings } from '../config.ts';
import type { ConfirmedIdentity, PersonClaims } from '../domain/identity.ts';
import type { SignInSecrets } from '../domain/pendingSignIn.ts';
import { clockToleranceSeconds, DiscoveredProvider, signatureAlgorithms } from './discoveredProvider.ts';
import { readClaims } from './readClaims.ts';

export interface ConfirmedPerson {
  identity: ConfirmedIdentity;
  /** Reads the claims that only a first sign-in needs. */
  readClaims(): Promise<PersonClaims>;
}

/** What a logout token says. At least one of `subject` and `sid` is set. */
export interface LogoutToken {
  issuer: string;
  subject: string | null;
  sid: string | null;
  jti: string;
  issuedAt: Date;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** An OpenID provider, as a relying party sees it. */
export class OidcProvider {
  readonly settings: ProviderSettings;
  readonly #discovered: DiscoveredProvider;

  constructor(settings: ProviderSettings) {
    this.settings = settings;
    this.#discovered = new DiscoveredProvider(settings);
  }

  /**
   * Begins a sign-in: returns the provider's page and the values that verify its response.
   * @param reauthenticates whether the provider must ask for the person's credentials even if it knows the person
   */
  async begin(
    redirectUri: string,
    reauthenticates: boolean,
  ): Promise<{ url: string; state: string; secrets: SignInSecrets }> {
    const { configuration } = await this.#discovered.get();
    const state = oidc.randomState();
    const nonce = oidc.randomNonce();
    const codeVerifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.settings.scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // Makes `auth_time` part of the ID token. Providers that do not know it ignore it.
      ...(reauthenticates && { max_age: '0' }),
    });
    return { url: url.href, state, secrets: { redirectUri, nonce, codeVerifier } };
  }

  /**
   * Exchanges the code in the provider's response for a verified ID token.
   * @param query the query of the request with which the browser returned
   * @throws Error if the provider rejects the code, or the response is invalid
   */
  async confirm(query: string, state: string, secrets: SignInSecrets): Promise<ConfirmedPerson> {
    const { configuration, idTokenKeys } = await this.#discovered.get();
    const { redirectUri, nonce, codeVerifier } = secrets;
    const response = new URL(redirectUri);
    response.search = query;
    const tokens = await oidc.authorizationCodeGrant(configuration, response, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !tokens.id_token) throw new Error('the provider sent no ID token');
    // The library has checked the claims. Its own check of signatures ignores new keys for up to a minute.
    await compactVerify(tokens.id_token, idTokenKeys, { algorithms: signatureAlgorithms });
    const { iss: issuer, sub: subject, sid, auth_time: authenticatedAt } = claims;
    return {
      identity: {
        provider: this.settings.id,
        issuer,
        subject,
        sid: typeof sid === 'string' ? sid : null,
        ...(authenticatedAt !== undefined && { authenticatedAt }),
      },
      // Many providers omit the claims about a person from the ID token.
      readClaims: async () => {
        const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasEndpoint ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject) : {};
        return readClaims({ ...more, ...claims }, this.settings);
      },
    };
  }

  /** @throws Error if it is not a logout token of this provider for this client */
  async readLogoutToken(token: string): Promise<LogoutToken> {
    const { configuration, logoutTokenKeys } = await this.#discovered.get();
    const { issuer } = configuration.serverMetadata();
    const { payload, protectedHeader } = await jwtVerify(token, logoutTokenKeys, {
      algorithms: signatureAlgorithms,
      issuer,
      audience: this.settings.clientId,
      clockTolerance: clockToleranceSeconds,
      // Some providers omit `exp`. The caller limits the token's age.
      requiredClaims: ['iat', 'jti', 'events'],
    });
    const { sub: subject = null, sid = null, jti, iat = 0, events, nonce } = payload;
    // A signed ID token must not pass as a logout token (OpenID Connect Back-Channel Logout §2.4).
    const isLogout = isRecord(events) && isRecord(events[logoutEvent]) && nonce === undefined;
    const isTyped = [undefined, 'jwt', 'logout+jwt'].includes(protectedHeader.typ?.toLowerCase());
    const isComplete = isTextOrNull(subject) && isTextOrNull(sid) && (subject ?? sid) !== null;
    if (!isLogout || !isTyped || !isComplete || typeof jti !== 'string')
      throw new Error('not a logout token');
    return { issuer, subject, sid, jti, issuedAt: new Date(iat * 1_000) };
  }

  /** The page where people end their session at the provider; undefined if there is no such page. */
  async endSessionUrl(afterwards: string): Promise<string | undefined> {
    const { configuration } = await this.#discovered.get();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: afterwards }).href;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
