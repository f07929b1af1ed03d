import { actorOf } from '@gradeway/shared/auth/authenticate';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import { requestIdOf } from '@gradeway/shared/http/requestId';
import { startMeasuring } from '@gradeway/shared/http/requestMetrics';
import type { Health } from '@gradeway/shared/process/health';
import { identifyActor } from '@gradeway/shared/process/requestContext';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Config } from '../config.ts';
import { forwardedHeaders } from '../forwarding/forwardedHeaders.ts';
import { responseHeaders } from '../forwarding/responseHeaders.ts';
import type { Client, Clients } from '../limits/clients.ts';
import { limitBody } from '../limits/limitBody.ts';
import type { CountLogin } from '../limits/loginLimits.ts';
import { recordLoginResponse } from '../limits/loginResponse.ts';
import type { PendingBodies } from '../limits/pendingBodies.ts';
import { receiveBody } from '../limits/receiveBody.ts';
import type { AuthClient, AuthResponse } from './authClient.ts';
import { BrowserSessions, type CallHeaders, issuedToken } from './browserSessions.ts';
import { pageOrigin, requireOwnPage } from './ownPage.ts';
import { type SessionCookie, sessionCookieOf } from './sessionCookie.ts';

interface Dependencies {
  config: Pick<Config, 'publicUrl' | 'refreshWindow' | 'bodyTimeout' | 'maxUploadBytes'>;
  health: Health;
  clients: Clients;
  countLogin: CountLogin;
  pending: PendingBodies;
  auth: AuthClient;
}

/** A request that a page of this installation sent. */
interface PageRequest {
  req: Request;
  res: Response;
  client: Client;
  cookie: SessionCookie;
  /** Token in the cookie; undefined for a login, which does not read it. */
  token: string | undefined;
}

interface Traits {
  readsCookie: boolean;
  /** Whether the status of the response shows that auth has refused the token. */
  showsRefusal: boolean;
}

/**
 * Routes for browser sessions. The refreshable token is in a cookie that scripts cannot read and that only these three routes
 * accept (decision 0050). Auth makes all other decisions, as for any other client.
 */
export function sessionRoutes(dependencies: Dependencies): Router {
  const { config, health, clients, countLogin, pending } = dependencies;
  const sessions = new BrowserSessions(dependencies.auth);
  // Paths match exactly, as in the route table (decision 0007).
  const router = Router({ caseSensitive: true, strict: true });

  const fromOwnPage =
    (
      handle: (request: PageRequest) => Promise<void>,
      { readsCookie, showsRefusal }: Traits,
    ): RequestHandler =>
    async (req, res) => {
      startMeasuring(req, res);
      const origin = pageOrigin(req, config.publicUrl);
      const cookie = sessionCookieOf(origin);
      const token = readsCookie ? cookie.read(req.get('cookie')) : undefined;
      const client = await clients.admitSession(req, res, token, showsRefusal);
      if (client.principal) identifyActor(actorOf(client.principal));
      requireOwnPage(req, origin);
      await handle({ req, res, client, cookie, token });
    };

  const storeToken = (cookie: SessionCookie, response: AuthResponse): string => {
    const { token, expiresAt } = issuedToken(response);
    const lastUse = expiresAt + config.refreshWindow / 1_000;
    return cookie.store(token, Math.max(0, Math.round(lastUse - Date.now() / 1_000)));
  };

  function send(res: Response, { status, headers, body }: AuthResponse, cookie?: string): void {
    const sent = responseHeaders(headers, res);
    if (cookie !== undefined) sent.push('Set-Cookie', cookie);
    if (health.draining) sent.push('Connection', 'close');
    res.writeHead(status, sent).end(body);
  }

  async function open({ req, res, client, cookie }: PageRequest): Promise<void> {
    limitBody(req, {}, config.maxUploadBytes);
    const waiting = { pending, client: client.key, timeoutMs: config.bodyTimeout, maxBytes: undefined };
    const body = await receiveBody(req, waiting);
    clients.hold(client, res);
    await countLogin('failures', req, res);
    const { authorization: _, ...headers } = forwardedHeaders(req, requestIdOf(res) ?? '', body);
    const response = await sessions.logIn(headers, body);
    recordLoginResponse(res, response.headers);
    send(res, response, response.status === 200 ? storeToken(cookie, response) : undefined);
  }

  async function refresh({ req, res, client, cookie, token }: PageRequest): Promise<void> {
    clients.hold(client, res);
    if (token === undefined) throw unauthenticated('no cookie of a session');
    const response = await sessions.refresh(callHeaders(req, res), token);
    if (response.status === 200) send(res, response, storeToken(cookie, response));
    else send(res, response, response.status === 401 ? cookie.remove() : undefined);
  }

  async function close({ req, res, client, cookie, token }: PageRequest): Promise<void> {
    clients.hold(client, res);
    if (token !== undefined) await sessions.end(callHeaders(req, res), token);
    send(
      res,
      { status: 204, headers: { 'cache-control': 'no-store' }, body: Buffer.alloc(0) },
      cookie.remove(),
    );
  }

  router.post('/session', fromOwnPage(open, { readsCookie: false, showsRefusal: true }));
  // A logout returns 204 whether or not the token is still valid.
  router.delete('/session', fromOwnPage(close, { readsCookie: true, showsRefusal: false }));
  router.post('/session/refresh', fromOwnPage(refresh, { readsCookie: true, showsRefusal: true }));
  return router;
}

const neededByAuth = new Set([
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

/** Returns the headers that auth needs from a request without a body and with its token in a cookie. */
function callHeaders(req: Request, res: Response): CallHeaders {
  const headers = forwardedHeaders(req, requestIdOf(res) ?? '');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => neededByAuth.has(name)));
}
