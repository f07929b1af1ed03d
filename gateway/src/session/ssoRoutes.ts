import { AppError, notFound, reauthenticationRequired } from '@gradeway/shared/errors/appError';
import { plainAddress } from '@gradeway/shared/http/clientAddress';
import type { Logger } from '@gradeway/shared/process/logger';
import { type Request, type Response, Router } from 'express';
import type { Config } from '../config.ts';
import type { Clients } from '../limits/clients.ts';
import type { CountLogin } from '../limits/loginLimits.ts';
import type { PendingBodies } from '../limits/pendingBodies.ts';
import { receiveBody } from '../limits/receiveBody.ts';
import { ownPath } from './ownPath.ts';
import { type BrowserRequest, createBrowserHandlers, storeToken } from './pageRequest.ts';
import { ssoCookieOf, startedCookie } from './sessionCookie.ts';
import type { SignInClient } from './signInClient.ts';

interface Dependencies {
  config: Pick<Config, 'publicUrl' | 'refreshWindow' | 'bodyTimeout'>;
  log: Logger;
  clients: Clients;
  countLogin: CountLogin;
  pending: PendingBodies;
  signIns: SignInClient;
}

interface IssuedToken {
  accessToken?: string | undefined;
  expiresAt?: { seconds?: unknown } | null | undefined;
}

const maxCodeBytes = 1_024;

/**
 * Routes for signing in with a provider in a browser. The browser comes back from another site, and therefore without
 * the session's cookie, which is `SameSite=Strict`; another cookie shows that the sign-in began in this browser.
 */
export function ssoRoutes({ config, log, clients, countLogin, pending, signIns }: Dependencies): Router {
  const { fromBrowser, fromOwnPage } = createBrowserHandlers({ config, clients });
  const router = Router({ caseSensitive: true, strict: true });

  async function start({ req, res, client, origin, token }: BrowserRequest): Promise<void> {
    clients.hold(client, res);
    const provider = providerOf(req.params);
    const isLink = req.query.link === '1';
    if (isLink && (token === undefined || isFromElsewhere(req.get('sec-fetch-site'))))
      return fail(res, 'failed');
    const { refusal, url, state } = await signIns.call('startSignIn', {
      provider,
      redirectUri: `${origin}/session/sso/${provider}/callback`,
      next: ownPath(req.query.next),
      ...(isLink && { linkToken: token }),
      reauthenticate: req.query.reauthenticate === '1',
    });
    // The account page asks for the password before it leaves.
    if (refusal === 'reauthentication' && isFromScript(req)) throw reauthenticationRequired();
    if (refusal) return fail(res, refusal);
    redirect(res, url, [ssoCookieOf(origin).store(state, 600)]);
  }

  async function finish({ req, res, client, origin, cookie }: BrowserRequest): Promise<void> {
    clients.hold(client, res);
    const provider = providerOf(req.params);
    const ssoCookie = ssoCookieOf(origin);
    const state = ssoCookie.read(req.get('cookie'));
    // Keeps the cookie: another page could otherwise cancel the sign-in.
    if (state === undefined || req.query.state !== state) return fail(res, 'failed');
    const query = req.url.slice(req.url.indexOf('?') + 1);
    const browser = browserOf(req);
    const finished = await signIns.call('finishSignIn', { provider, state, query, browser });
    const next = finished.next || '/';
    if (finished.refusal === 'second_factor') {
      const search = new URLSearchParams({ second_factor: provider, next });
      return redirect(res, `/login?${search}`, [ssoCookie.store(finished.state, 600)]);
    }
    if (finished.refusal) return fail(res, finished.refusal, [ssoCookie.remove()]);
    const cookies = finished.token ? sessionCookies(origin, cookie, finished.token) : [];
    redirect(res, next, [ssoCookie.remove(), ...cookies]);
  }

  async function complete({ req, res, client, origin, cookie }: BrowserRequest): Promise<void> {
    const waiting = { pending, client: client.key, timeoutMs: config.bodyTimeout, maxBytes: maxCodeBytes };
    const { provider, totp } = readCode(await receiveBody(req, waiting));
    clients.hold(client, res);
    await countLogin('failures', req, res);
    const ssoCookie = ssoCookieOf(origin);
    const state = ssoCookie.read(req.get('cookie')) ?? '';
    const browser = browserOf(req);
    const { refusal, token } = await signIns.call('completeSignIn', { provider, state, totp, browser });
    if (refusal || !token) throw refusalOfCode(refusal);
    res.append('Set-Cookie', [...sessionCookies(origin, cookie, token), ssoCookie.remove()]);
    res.set('Cache-Control', 'no-store');
    const { accessToken: access_token, expiresAt } = token;
    res.json({ token_type: 'Bearer', access_token, expires_in: Number(expiresAt?.seconds) });
  }

  async function signOut({ req, res, client, origin }: BrowserRequest): Promise<void> {
    clients.hold(client, res);
    const provider = providerOf(req.params);
    const { url } = await signIns.call('getSignOutUrl', { provider, redirectUri: `${origin}/login` });
    redirect(res, url || '/login');
  }

  function sessionCookies(
    origin: string,
    cookie: BrowserRequest['cookie'],
    { accessToken: token = '', expiresAt }: IssuedToken,
  ): string[] {
    const issued = { token, expiresAt: Number(expiresAt?.seconds) };
    return [storeToken(cookie, issued, config.refreshWindow), startedCookie(origin)];
  }

  const orFail =
    (handle: (request: BrowserRequest) => Promise<void>) =>
    async (request: BrowserRequest): Promise<void> => {
      try {
        await handle(request);
      } catch (error) {
        // The browser shows a page, not JSON.
        if (!(error instanceof AppError) || !['unavailable', 'timeout', 'internal'].includes(error.code))
          throw error;
        log.warn({ err: error.cause ?? error }, 'a sign-in failed');
        fail(request.res, 'unavailable');
      }
    };

  const traits = { showsRefusal: false };
  const get = (path: string, handle: (request: BrowserRequest) => Promise<void>, readsCookie = false) => {
    const respond = fromBrowser(orFail(handle), { ...traits, readsCookie });
    // Express would also respond to HEAD, and so use up a state.
    router.get(path, (req, res, next) => (req.method === 'GET' ? respond(req, res, next) : next()));
  };
  get('/session/sso/:provider', start, true);
  get('/session/sso/:provider/callback', finish);
  get('/session/sso/:provider/logout', signOut);
  router.post('/session/sso', fromOwnPage(complete, { ...traits, readsCookie: false }));
  return router;
}

const providerOf = (params: Record<string, unknown>): string => {
  const { provider } = params;
  if (typeof provider !== 'string' || !/^[a-z0-9_-]+$/.test(provider)) throw notFound();
  return provider;
};

const browserOf = ({ ip = '', headers }: BrowserRequest['req']) => ({
  address: plainAddress(ip),
  userAgent: headers['user-agent'] ?? '',
});

// `none` means that the user entered the address. Browsers from before 2023 do not send this header.
const isFromElsewhere = (site = 'none'): boolean => site !== 'same-origin' && site !== 'none';

/** Whether a script of the application asks, which other sites cannot imitate: they may not send this header. */
const isFromScript = (req: Request): boolean => req.get('x-requested-with') !== undefined;

function redirect(res: Response, location: string, cookies: string[] = []): void {
  if (cookies.length > 0) res.append('Set-Cookie', cookies);
  res.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}

function fail(res: Response, refusal: string, cookies: string[] = []): void {
  if (refusal === 'unknown_provider') throw notFound();
  redirect(res, `/login?error=sso_${refusal}`, cookies);
}

function readCode(body: Buffer | undefined): { provider: string; totp: string } {
  try {
    const { provider, totp } = JSON.parse(body?.toString() ?? '') ?? {};
    if (typeof provider === 'string' && typeof totp === 'string') return { provider, totp };
  } catch {}
  throw new AppError('malformed', 'Malformed JSON');
}

function refusalOfCode(refusal: string): AppError {
  if (refusal === 'limited')
    return new AppError('too_many_requests', 'Too Many Requests', { headers: { 'Retry-After': '60' } });
  if (refusal === 'second_factor')
    return new AppError('unauthenticated', 'These credentials do not match our records.');
  return new AppError('unauthenticated', 'The sign-in has expired. Start again.');
}
