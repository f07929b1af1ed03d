import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from '../auth/roles.ts';
import type { RequestTrace } from '../tracing/requestTrace.ts';

/** The account that makes a request, according to a verified token. */
export interface Actor {
  userId: number;
  sessionId: number;
  role: Role;
}

/** Data of the request being served, available to all code that runs for it. */
export interface RequestContext {
  /** `X-Request-Id`; every process that handles the request logs it. */
  requestId: string;
  /** When the caller stops waiting, in milliseconds since the epoch. Calls made for the request end before it. */
  deadline: number;
  /** Set once the token has been verified. */
  actor?: Actor;
  /** The client's address. */
  address?: string | undefined;
  /** At the gateway, the trace of the request. */
  trace?: RequestTrace | undefined;
  /** Whether the request is limited to a share of the database connections ({@link shareConnections}). */
  sharesConnections?: boolean;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Names the actor of the request being served, for its log line and its audit entries. */
export function identifyActor({ userId, sessionId, role }: Actor): void {
  const context = requestContext.getStore();
  if (context) context.actor = { userId, sessionId, role };
}

/**
 * Restricts the request being served to the part of the database connections that uploads and downloads share, and lets it
 * wait for one until its own deadline: hundreds may begin at the same time (database/connectionShare.ts).
 */
export function shareConnections(): void {
  const context = requestContext.getStore();
  if (context) context.sharesConnections = true;
}

/** Time until the deadline of the request being served, at most `limit`; without a request, `limit`. Milliseconds. */
export function remainingTime(limit: number): number {
  const context = requestContext.getStore();
  return context ? Math.max(0, Math.min(limit, context.deadline - Date.now())) : limit;
}
