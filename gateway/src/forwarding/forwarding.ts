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
  /** A body that has been received whole; without one, the body of the request is streamed. */
  body: Buffer | undefined;
  /** When the request began to wait for a slot, as `performance.now()`. `IDLE_TIMEOUT` includes the wait. */
  startedAt: number;
  /** When it got its slot. */
  sentAt: number;
  span: ForwardedCall | undefined;
  /** Connections are shared: their events occur in the context of the request that opened them. */
  context: RequestContext;
}

export type TimeoutSettings = Pick<
  Config,
  'idleTimeout' | 'totalTimeout' | 'transferIdleTimeout' | 'transferTotalTimeout'
>;

const slowRouteMs = 3 * 60_000;

/** How long a service may send nothing, and a request may take in all, in milliseconds. */
export function timeLimits({ transfer, slow }: Route, config: TimeoutSettings) {
  if (slow) return { idleTimeout: slowRouteMs, totalTimeout: slowRouteMs };
  if (!transfer) return config;
  return { idleTimeout: config.transferIdleTimeout, totalTimeout: config.transferTotalTimeout };
}

/** Sends requests to one service and their responses to the clients. */
export interface Forwarder {
  forward(forwarding: Forwarding): void;
}
