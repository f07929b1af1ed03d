/** A browser without pages: it keeps cookies by host, and follows redirects one by one. */
export interface CookieBrowser {
  /** Sends a request with the cookies of its host. */
  request(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Follows redirects from `url` until one leads to a URL that `isEnd` accepts, and returns the response with that redirect. */
  follow(url: string | URL, isEnd: (location: URL) => boolean): Promise<Response>;
  /** A copy with the same cookies. */
  clone(): CookieBrowser;
  cookie(host: string, name: string): string | undefined;
  forgetHost(host: string): void;
}

type Jar = Map<string, Map<string, string>>;

const maxRedirects = 20;

export function createCookieBrowser(jar: Jar = new Map()): CookieBrowser {
  async function request(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const cookies = jar.get(host) ?? new Map<string, string>();
    jar.set(host, cookies);
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(sent && { cookie: sent }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const isExpired = /max-age=0\b/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line);
      if (isExpired) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  return {
    request,
    async follow(url, isEnd) {
      let next = new URL(url);
      for (let count = 0; count < maxRedirects; count += 1) {
        const response = await request(next);
        const location = response.headers.get('location');
        if (location === null)
          throw new Error(`${next.pathname}: status ${response.status} without a redirect`);
        await response.body?.cancel();
        next = new URL(location, next);
        if (isEnd(next)) return response;
      }
      throw new Error('too many redirects');
    },
    clone: () => createCookieBrowser(new Map([...jar].map(([host, cookies]) => [host, new Map(cookies)]))),
    cookie: (host, name) => jar.get(host)?.get(name),
    forgetHost(host) {
      jar.delete(host);
    },
  };
}
