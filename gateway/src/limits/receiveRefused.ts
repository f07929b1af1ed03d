import { receiveRest } from '@gradeway/shared/http/receiveRest';
import type { Request } from 'express';
import type { Config } from '../config.ts';
import { limitUploadRate } from './transferRate.ts';

// More than any upload that could be accepted.
const maxBytes = 512 * 1024 * 1024;

/**
 * Returns a function that receives the rest of a body whose request has been refused, before the response is sent. Behind a proxy it
 * receives large ones as well: Traefik closes the connection to a client half a second after it has passed on an early response, and
 * what the client is still sending then resets the connection, often before it has read the response. Without a proxy
 * `discardRest` reads the rest afterwards, and the client need not wait. The response 429 is never delayed: a client that exceeds a
 * limit must not keep more requests open by doing so.
 */
export function receiveRefused(config: Config): (req: Request, status: number) => Promise<void> {
  const receiveSmall = (req: Request) => receiveRest(req, { timeoutMs: config.bodyTimeout });
  if (config.trustedProxies === 0) return receiveSmall;
  return async (req, status) => {
    if (status === 429) return receiveSmall(req);
    if (!req.complete) limitUploadRate(req, config, () => req.socket.destroy());
    await receiveRest(req, { maxBytes, timeoutMs: config.transferTotalTimeout });
  };
}
