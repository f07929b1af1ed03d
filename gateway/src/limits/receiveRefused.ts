import { receiveRest } from '@gradeway/shared/http/receiveRest';
import type { Request } from 'express';
import type { Config } from '../config.ts';
import { limitUploadRate } from './transferRate.ts';

// More than any upload that could be accepted.
const maxBytes = 512 * 1024 * 1024;

type Limits = Pick<
  Config,
  'trustedProxies' | 'bodyTimeout' | 'transferTotalTimeout' | 'uploadRate' | 'downloadRate' | 'transferPause'
>;

/**
 * Returns a function that receives the rest of a body whose request has been refused, before the response is sent. Behind a proxy it
 * receives large ones as well: Traefik closes the connection to a client half a second after it has passed on an early response, and
 * what the client is still sending then resets the connection, often before it has read the response. Without a proxy
 * `discardRest` reads the rest afterwards, and the client need not wait.
 */
export function receiveRefused(limits: Limits): (req: Request) => Promise<void> {
  if (limits.trustedProxies === 0) return (req) => receiveRest(req, { timeoutMs: limits.bodyTimeout });
  return async (req) => {
    if (!req.complete) limitUploadRate(req, limits, () => req.socket.destroy());
    await receiveRest(req, { maxBytes, timeoutMs: limits.transferTotalTimeout });
  };
}
