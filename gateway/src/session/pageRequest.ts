import { actorOf } from '@gradeway/shared/auth/authenticate';
import { startMeasuring } from '@gradeway/shared/http/requestMetrics';
import { identifyActor } from '@gradeway/shared/process/requestContext';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config.ts';
import type { Client, Clients } from '../limits/clients.ts';
import { pageOrigin, requireOwnPage } from './ownPage.ts';
import { type SessionCookie, sessionCookieOf } from './sessionCookie.ts';

/** A request from a browser that may have a session. */
export interface BrowserRequest {
  req: Request;
  res: Response;
  client: Client;
  origin: string;
  cookie: SessionCookie;
  /** Token in the cookie; undefined where it is not read. */
  token: string | undefined;
}

export interface Traits {
  readsCookie: boolean;
  /** Whether the status of the response shows that auth has refused the token. */
  showsRefusal: boolean;
}

interface Dependencies {
  config: Pick<Config, 'publicUrl'>;
  clients: Clients;
}

type Handle = (request: BrowserRequest) => Promise<void>;

/**
 * Returns functions that create handlers for browser requests, which measure and admit each request and read its
 * cookie.
 */
export function createBrowserHandlers({ config, clients }: Dependencies) {
  const fromBrowser =
    (handle: Handle, { readsCookie, showsRefusal }: Traits): RequestHandler =>
    async (req, res) => {
      startMeasuring(req, res);
      const origin = pageOrigin(req, config.publicUrl);
      const cookie = sessionCookieOf(origin);
      const token = readsCookie ? cookie.read(req.get('cookie')) : undefined;
      const client = await clients.admitSession(req, res, token, showsRefusal);
      if (client.principal) identifyActor(actorOf(client.principal));
      await handle({ req, res, client, origin, cookie, token });
    };

  /** For requests that only a page of this installation may send. */
  const fromOwnPage = (handle: Handle, traits: Traits): RequestHandler =>
    fromBrowser((request) => {
      requireOwnPage(request.req, request.origin);
      return handle(request);
    }, traits);

  return { fromBrowser, fromOwnPage };
}

/** Returns the value of `Set-Cookie` that stores a token for as long as auth would refresh it. */
export function storeToken(
  cookie: SessionCookie,
  { token, expiresAt }: { token: string; expiresAt: number },
  refreshWindowMs: number,
): string {
  const lastUse = expiresAt + refreshWindowMs / 1_000;
  return cookie.store(token, Math.max(0, Math.round(lastUse - Date.now() / 1_000)));
}
