import { createHash } from 'node:crypto';
import type { Principal, VerifyToken } from '@gradeway/shared/auth/accessToken';
import { bearerToken } from '@gradeway/shared/auth/authenticate';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import type { Route } from '../routing/routeTable.ts';
import type { LimitStore } from './limitStore.ts';
import { createOpenRequests } from './openRequests.ts';
import { addressKey, createRateLimit } from './rateLimit.ts';
import { slotsPerKind } from './serviceSlots.ts';

/**
 * The sender of a request: the user of a session, a token that was issued for programs, or otherwise an address. Limits
 * count by `key`.
 */
export interface Client {
  key: string;
  principal?: Principal;
  /** Reason why there is no principal. */
  refusal?: unknown;
}

export interface Clients {
  /**
   * Identifies the client of a request and counts the request. The response says how many the client has left.
   * @throws AppError 429 above the rate limit
   */
  admit(req: Request, res: Response, route: Route | undefined): Promise<Client>;
  /**
   * {@link admit} for a request whose token is in a cookie. A token that the gateway does not accept has its own count only if
   * the status of the response shows whether auth accepts it.
   */
  admitSession(
    req: Request,
    res: Response,
    token: string | undefined,
    showsRefusal: boolean,
  ): Promise<Client>;
  /**
   * Counts a request as open until its response ends. Counts uploads and downloads separately.
   * @throws AppError 429 above the limit of open requests
   */
  hold(client: Client, res: Response, route?: Pick<Route, 'transfer'>): void;
}

type Limits = Pick<Config, 'rateLimit' | 'openPerUser' | 'openPerAddress' | 'transfersPerUser'>;

// Signed links per address, as a multiple of the requests without a token: enough for 300 students who open ten files each in a
// minute.
const linkFactor = 10;

// Leaves three quarters of a service's upload slots and download slots to other clients.
const transfersPerAddress = slotsPerKind / 4;

// Programs must not use up the limits of their user's browser, or of each other.
const keyOf = ({ kind, userId, tokenId }: Principal): string =>
  kind === 'session' ? `user ${userId}` : `token ${tokenId}`;

/** Identifies clients and limits their requests in the same way on every path (D51). */
export function createClients(config: Limits, verify: VerifyToken, store?: LimitStore): Clients {
  const requests = createRateLimit('requests', config.rateLimit, 60, store);
  const links = createRateLimit('links', config.rateLimit * linkFactor, 60, store);
  const open = createOpenRequests();
  const transfers = createOpenRequests('transfers');

  async function identify(req: Request, token: string | undefined): Promise<Client> {
    try {
      if (!token) throw unauthenticated('no token');
      const principal = await verify(token);
      return { key: keyOf(principal), principal };
    } catch (refusal) {
      return { key: addressKey(req.ip), refusal };
    }
  }

  // Browsers open signed links without a token (D31) and refresh expired tokens, and all browsers of a school may share an address.
  // So a secret that its service accepts has its own count, and counts towards the address only if it is refused or the client
  // disconnects before the response.
  async function countSecret(secret: string, res: Response, address: string): Promise<void> {
    await requests.count(`secret ${createHash('sha256').update(secret).digest('base64url')}`, res);
    const reservation = await requests.reserve(address);
    if ('refuse' in reservation) return reservation.refuse();
    const decide = () => {
      if (res.headersSent && res.statusCode < 400) reservation.giveBack();
    };
    if (res.closed) decide();
    else afterResponse(res, decide);
  }

  async function countLink(req: Request, res: Response, address: string): Promise<void> {
    await links.count(address);
    // Services accept only the exact path and query that they have issued (D61), whereas the client chooses the host.
    await countSecret(req.path + req.url.slice(req.url.indexOf('?')), res, address);
  }

  return {
    async admit(req, res, route) {
      const client = await identify(req, bearerToken(req));
      if (route?.signedLink && !client.principal) await countLink(req, res, client.key);
      else await requests.count(client.key, res);
      return client;
    },
    async admitSession(req, res, token, showsRefusal) {
      const client = await identify(req, token);
      if (token !== undefined && !client.principal && showsRefusal) await countSecret(token, res, client.key);
      else await requests.count(client.key, res);
      return client;
    },
    hold({ key, principal }, res, route) {
      if (route?.transfer)
        transfers.hold(key, principal ? config.transfersPerUser : transfersPerAddress, res);
      else open.hold(key, principal ? config.openPerUser : config.openPerAddress, res);
    },
  };
}
