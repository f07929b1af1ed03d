import type { RequestContext } from '@gradeway/shared/process/requestContext';
import type { ForwardedCall } from '@gradeway/shared/tracing/requestTrace';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import type { Route } from '../routing/routeTable.ts';

/** A request on its way to a service. */
export interface Forwarding {
  req: Request;
  res: Response;
  route: Route;
  /** The body if it has been received completely; otherwise the request is streamed. */
  body: Buffer | undefined;
  /** When the wait for a slot began (`performance.now()`). `IDLE_TIMEOUT` includes the wait. */
  startedAt: number;
  /** When the request got its slot. */
  sentAt: number;
  span: ForwardedCall | undefined;
  /** Context of this request. Events of a shared connection occur in the context of the request that opened it. */
  context: RequestContext;
}

export type TimeoutSettings = Pick<
  Config,
  'idleTimeout' | 'totalTimeout' | 'transferIdleTimeout' | 'transferTotalTimeout'
>;

const slowRouteMs = 3 * 60_000;

/** Returns the limits of a route in milliseconds: how long its service may be silent, and how long a request may take. */
export function timeLimits({ transfer, slow }: Route, config: TimeoutSettings) {
  if (slow) return { idleTimeout: slowRouteMs, totalTimeout: slowRouteMs };
  if (!transfer) return config;
  return { idleTimeout: config.transferIdleTimeout, totalTimeout: config.transferTotalTimeout };
}

/** Sends requests to one service and their responses to the clients. */
export interface Forwarder {
  forward(forwarding: Forwarding): void;
}
