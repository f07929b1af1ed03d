/** A cookie of a browser session or of a sign-in. */
export interface SessionCookie {
  /** Reads the token from a `Cookie` header. Undefined if there is no such cookie or its value cannot be a token. */
  read(header: string | undefined): string | undefined;
  /** Returns the value of `Set-Cookie` that stores a token. */
  store(token: string, seconds: number): string;
  /** Returns the value of `Set-Cookie` that removes the cookie. */
  remove(): string;
}

interface CookieTraits {
  path: string;
  sameSite: 'Strict' | 'Lax';
  /** The values become part of calls to auth, so nothing else is accepted. */
  shape: RegExp;
}

// The token has three base64url parts.
const sessionTraits: CookieTraits = { path: '/', sameSite: 'Strict', shape: /^[\w-]+\.[\w-]+\.[\w-]+$/ };
const ssoTraits: CookieTraits = { path: '/session/sso', sameSite: 'Lax', shape: /^[\w-]{20,100}$/ };

// With this prefix, browsers refuse a cookie that was set by another host, for another path or without TLS.
const secure = createCookie('__Host-session', '; Secure', sessionTraits);
const insecure = createCookie('session', '', sessionTraits);

const ownMachine = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns the cookie for an origin. Requires TLS except on the local machine, so that Gradeway can be tried there. */
export const sessionCookieOf = (origin: string): SessionCookie => (needsTls(origin) ? secure : insecure);

// Sent when the browser comes back from the provider, and only to the paths of sign-ins.
const secureSso = createCookie('__Secure-sso', '; Secure', ssoTraits);
const insecureSso = createCookie('sso', '', ssoTraits);

/** Returns the cookie with the state of a sign-in at a provider. */
export const ssoCookieOf = (origin: string): SessionCookie => (needsTls(origin) ? secureSso : insecureSso);

/**
 * Returns the value of `Set-Cookie` that tells the web application that a session began; otherwise the application
 * stores this itself.
 */
export const startedCookie = (origin: string): string =>
  `session-started=1; Max-Age=60; Path=/; SameSite=Strict${needsTls(origin) ? '; Secure' : ''}`;

function needsTls(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol !== 'http:' || !ownMachine.has(hostname);
}

function createCookie(
  name: string,
  security: string,
  { path, sameSite, shape }: CookieTraits,
): SessionCookie {
  const write = (value: string, seconds: number) =>
    `${name}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=${sameSite}${security}`;
  return {
    read: (header) => readCookie(header, name, shape),
    store: write,
    remove: () => write('', 0),
  };
}

function readCookie(header: string | undefined, name: string, shape: RegExp): string | undefined {
  const prefix = `${name}=`;
  const value = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
  return value !== undefined && shape.test(value) ? value : undefined;
}
