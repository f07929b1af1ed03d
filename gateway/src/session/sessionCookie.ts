/** The cookie of a browser's session. */
export interface SessionCookie {
  /** The token in a `Cookie` header; undefined without one, or with something else than a token. */
  read(header: string | undefined): string | undefined;
  /** The value of `Set-Cookie` that stores a token. */
  store(token: string, seconds: number): string;
  /** The value of `Set-Cookie` that removes it. */
  remove(): string;
}

// The prefix makes browsers refuse a cookie that another host or path has set, or that was not sent over TLS.
const secure = createCookie('__Host-session', '; Secure');
const insecure = createCookie('session', '');

const ownMachine = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The cookie for pages of an origin. To try Gradeway on one's own machine no TLS is needed; everywhere else it is. */
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

// Three parts in base64url, so that nothing else reaches a header of the call to auth.
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
