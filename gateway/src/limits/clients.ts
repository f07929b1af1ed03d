import { createHash } from 'node:crypto';
import type { Principal, VerifyToken } from '@gradeway/shared/auth/accessToken';
import { bearerToken } from '@gradeway/shared/auth/authenticate';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import type { Route } from '../routing/routeTable.ts';
import { createOpenRequests } from './openRequests.ts';
import { addressKey, createRateLimit } from './rateLimit.ts';
import { slotsPerKind } from './serviceSlots.ts';

/** Who sent a request: the user of a valid token, or else an address. Limits count by `key`. */
export interface Client {
  key: string;
  principal?: Principal;
  /** Why there is no principal. */
  refusal?: unknown;
}

export interface Clients {
  /** Identifies the client of a request and counts the request. @throws AppError 429 above the rate limit */
  admit(req: Request, res: Response, route: Route | undefined): Promise<Client>;
  /**
   * {@link admit} for a request with the token of a cookie instead of `Authorization`. A token that the gateway does not
   * accept counts for itself only if the status of the answer shows whether auth does.
   */
  admitSession(
    req: Request,
    res: Response,
    token: string | undefined,
    showsRefusal: boolean,
  ): Promise<Client>;
  /**
   * Counts a request as open until its response ends; uploads and downloads are counted separately.
   * @throws AppError 429 above the limit of open requests
   */
  hold(client: Client, res: Response, route?: Pick<Route, 'transfer'>): void;
}

type Limits = Pick<Config, 'rateLimit' | 'openPerUser' | 'openPerAddress' | 'transfersPerUser'>;

// Signed links that an address may open for each request that it may send without a token: 300 students open ten files each in
// a minute.
const linkFactor = 10;

// At one service, this leaves three quarters of the slots for uploads and of those for downloads to other clients.
const transfersPerAddress = slotsPerKind / 4;

/** Identifies clients and limits their requests, on every path alike (D51). */
export function createClients(config: Limits, verify: VerifyToken): Clients {
  const requests = createRateLimit('requests', config.rateLimit, 60);
  const links = createRateLimit('links', config.rateLimit * linkFactor, 60);
  const open = createOpenRequests();
  const transfers = createOpenRequests('transfers');

  async function identify(req: Request, token: string | undefined): Promise<Client> {
    try {
      if (!token) throw unauthenticated('no token');
      const principal = await verify(token);
      return { key: `user ${principal.userId}`, principal };
    } catch (refusal) {
      return { key: addressKey(req.ip), refusal };
    }
  }

  // A browser opens a signed link without a token (D31), and refreshes a token that has expired; all browsers of a school may
  // have one address. A secret that its service accepts therefore counts for itself; a refused one counts for the address, as
  // does one whose client disconnects before the response shows it.
  async function countSecret(secret: string, res: Response, address: string): Promise<void> {
    await requests.count(`secret ${createHash('sha256').update(secret).digest('base64url')}`);
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
    // A service accepts only the parameters and the spelling that it has issued (D61); the host is the client's choice.
    await countSecret(req.path + req.url.slice(req.url.indexOf('?')), res, address);
  }

  return {
    async admit(req, res, route) {
      const client = await identify(req, bearerToken(req));
      if (route?.signedLink && !client.principal) await countLink(req, res, client.key);
      else await requests.count(client.key);
      return client;
    },
    async admitSession(req, res, token, showsRefusal) {
      const client = await identify(req, token);
      if (token !== undefined && !client.principal && showsRefusal) await countSecret(token, res, client.key);
      else await requests.count(client.key);
      return client;
    },
    hold({ key, principal }, res, route) {
      if (route?.transfer)
        transfers.hold(key, principal ? config.transfersPerUser : transfersPerAddress, res);
      else open.hold(key, principal ? config.openPerUser : config.openPerAddress, res);
    },
  };
}
