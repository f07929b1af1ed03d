import { unauthenticated } from '@gradeway/shared/errors/appError';
import { requestIdOf } from '@gradeway/shared/http/requestId';
import type { Health } from '@gradeway/shared/process/health';
import { type Request, type Response, Router } from 'express';
import type { Config } from '../config.ts';
import { forwardedHeaders } from '../forwarding/forwardedHeaders.ts';
import { responseHeaders } from '../forwarding/responseHeaders.ts';
import type { Clients } from '../limits/clients.ts';
import { limitBody } from '../limits/limitBody.ts';
import type { CountLogin } from '../limits/loginLimits.ts';
import { recordLoginResponse } from '../limits/loginResponse.ts';
import type { PendingBodies } from '../limits/pendingBodies.ts';
import { receiveBody } from '../limits/receiveBody.ts';
import type { AuthClient, AuthResponse } from './authClient.ts';
import { BrowserSessions, type CallHeaders, issuedToken } from './browserSessions.ts';
import { type BrowserRequest, createBrowserHandlers, storeToken } from './pageRequest.ts';
import type { SessionCookie } from './sessionCookie.ts';

interface Dependencies {
  config: Pick<Config, 'publicUrl' | 'refreshWindow' | 'bodyTimeout' | 'maxUploadBytes'>;
  health: Health;
  clients: Clients;
  countLogin: CountLogin;
  pending: PendingBodies;
  auth: AuthClient;
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

  const { fromOwnPage } = createBrowserHandlers({ config, clients });

  const store = (cookie: SessionCookie, response: AuthResponse): string =>
    storeToken(cookie, issuedToken(response), config.refreshWindow);

  function send(res: Response, { status, headers, body }: AuthResponse, cookie?: string): void {
    const sent = responseHeaders(headers, res);
    if (cookie !== undefined) sent.push('Set-Cookie', cookie);
    if (health.draining) sent.push('Connection', 'close');
    res.writeHead(status, sent).end(body);
  }

  async function open({ req, res, client, cookie }: BrowserRequest): Promise<void> {
    limitBody(req, {}, config.maxUploadBytes);
    const waiting = { pending, client: client.key, timeoutMs: config.bodyTimeout, maxBytes: undefined };
    const body = await receiveBody(req, waiting);
    clients.hold(client, res);
    await countLogin('failures', req, res);
    const { authorization: _, ...headers } = forwardedHeaders(req, requestIdOf(res) ?? '', body);
    const response = await sessions.logIn(headers, body);
    recordLoginResponse(res, response.headers);
    send(res, response, response.status === 200 ? store(cookie, response) : undefined);
  }

  async function refresh({ req, res, client, cookie, token }: BrowserRequest): Promise<void> {
    clients.hold(client, res);
    if (token === undefined) throw unauthenticated('no cookie of a session');
    const response = await sessions.refresh(callHeaders(req, res), token);
    if (response.status === 200) send(res, response, store(cookie, response));
    else send(res, response, response.status === 401 ? cookie.remove() : undefined);
  }

  async function close({ req, res, client, cookie, token }: BrowserRequest): Promise<void> {
    clients.hold(client, res);
    const location = token && (await sessions.end(callHeaders(req, res), token));
    const headers = { 'cache-control': 'no-store', ...(location && { 'logout-location': location }) };
    send(res, { status: 204, headers, body: Buffer.alloc(0) }, cookie.remove());
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
