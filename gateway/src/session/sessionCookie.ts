/** The cookie of a browser session. */
export interface SessionCookie {
  /** Reads the token from a `Cookie` header. Undefined if there is none or its value is not a token. */
  read(header: string | undefined): string | undefined;
  /** Returns the value of `Set-Cookie` that stores a token. */
  store(token: string, seconds: number): string;
  /** Returns the value of `Set-Cookie` that removes the cookie. */
  remove(): string;
}

// With this prefix, browsers refuse a cookie that was set by another host, for another path or without TLS.
const secure = createCookie('__Host-session', '; Secure');
const insecure = createCookie('session', '');

const ownMachine = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns the cookie for an origin. Requires TLS except on the local machine, so that Gradeway can be tried there. */
export function sessionCookieOf(origin: string): SessionCookie {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && ownMachine.has(hostname) ? insecure : secure;
}

function createCookie(name: string, security: string): SessionCookie {
  const write = (value: string, seconds: number) =>
    `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${security}`;
  return {
    read: (header) => readCookie(header, name),
    store: write,
    remove: () => write('', 0),
  };
}

// Three base64url parts. The value becomes a header of the call to auth, so nothing else is accepted.
const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function readCookie(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  const value = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
  return value !== undefined && tokenShape.test(value) ? value : undefined;
}
