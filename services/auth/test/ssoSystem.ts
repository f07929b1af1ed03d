import { freePort } from '@gradeway/local/ports';
import { type CookieBrowser, createCookieBrowser } from '@gradeway/test/cookieBrowser';
import { type OidcPerson, type OidcServer, startOidcServer } from '@gradeway/test/oidcServer';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { type AuthService, password, startAuthService } from './authService.ts';

export interface SsoSystem {
  origin: string;
  auth: AuthService;
  gateway: ServiceProcess;
  provider: OidcServer;
  /**
   * Signs a person in with a new browser or the given one. Returns the URL that the gateway redirects to, and
   * the cookies.
   */
  signIn(person: OidcPerson, options?: SignInOptions): Promise<SignedIn>;
  /** Logs in with a password in a browser, as a page does. */
  logInByPassword(account: { email: string; password?: string }): Promise<CookieBrowser>;
  close(): Promise<void>;
}

interface SignInOptions {
  browser?: CookieBrowser;
  /** The query of the first request. */
  query?: string;
}

export interface SignedIn {
  location: string;
  browser: CookieBrowser;
  /** The token in the session's cookie. */
  token: string | undefined;
}

interface Options {
  /** Properties of the provider `school`. */
  provider?: object;
  algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256';
  /** Settings of auth. */
  env?: Record<string, string>;
  /** Further providers. */
  others?: object[];
}

/** Starts auth, a gateway in front of it, and the OpenID provider `school`. */
export async function startSsoSystem({
  provider: own,
  algorithm,
  env,
  others,
}: Options = {}): Promise<SsoSystem> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startOidcServer({ origin, id: 'school', ...(algorithm && { algorithm }) });
  const settings = {
    ...{ id: 'school', name: 'School', issuer: provider.issuer },
    ...{ client_id: provider.clientId, client_secret: provider.clientSecret, domains: ['school.example'] },
    ...own,
  };
  const auth = await startAuthService({
    OIDC_PROVIDERS: JSON.stringify([settings, ...(others ?? [])]),
    PUBLIC_URL: origin,
    ...env,
  });
  const { url } = auth.service;
  const gateway = await startService({
    service: 'gateway',
    database: auth.database,
    peers: { authGrpc: auth.service.grpcAddress, coursesGrpc: auth.courses.address },
    tokens: { jwksUrl: `${url}/.well-known/jwks.json` },
    env: {
      PORT: String(port),
      ...{ AUTH_URL: url, COURSES_URL: url, HOMEWORK_URL: url, QUIZ_URL: url },
      ...{ RATE_LIMIT_PER_MINUTE: '0', PUBLIC_URL: origin },
    },
  });
  return {
    ...{ origin, auth, gateway, provider },
    async signIn(person, { browser = createCookieBrowser(), query = '' } = {}) {
      provider.person = person;
      // The provider would otherwise recognize an earlier person.
      browser.forgetHost(new URL(provider.issuer).host);
      const isBack = (location: URL) =>
        location.origin === origin && !location.pathname.startsWith('/session');
      const response = await browser.follow(`${origin}/session/sso/school${query}`, isBack);
      const token = browser.cookie(new URL(origin).host, 'session');
      return { location: response.headers.get('location') ?? '', browser, token };
    },
    async logInByPassword(account) {
      const browser = createCookieBrowser();
      const response = await browser.request(`${origin}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-requested-with': 'gradeway' },
        body: JSON.stringify({ password, ...account }),
      });
      if (response.status !== 200) throw new Error(`login: status ${response.status}`);
      return browser;
    },
    async close() {
      await gateway.stop();
      await auth.close();
      await provider.close();
    },
  };
}

/** A person at the provider, with a verified address. */
export const personOf = (email: string, claims: object = {}): OidcPerson => ({
  sub: `subject of ${email}`,
  ...{ email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' },
  ...claims,
});
