import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActorRole } from '../auth/roles.ts';
import type { RequestTrace } from '../tracing/requestTrace.ts';

/** The account or service account that makes a request, as identified by a verified token. */
export interface Actor {
  userId: number;
  /** Null if the request's token belongs to no session. */
  sessionId: number | null;
  role: ActorRole;
}

/** Data of the current request, available to all code that runs for it. */
export interface RequestContext {
  /** `X-Request-Id`. Every process that handles the request logs it. */
  requestId: string;
  /** When the caller stops waiting, in milliseconds since the epoch. Calls made for the request end before that. */
  deadline: number;
  /** Set once the token has been verified. */
  actor?: Actor;
  /** The client's address. */
  address?: string | undefined;
  /** The request's trace. Only set in the gateway. */
  trace?: RequestTrace | undefined;
  /** Whether the request is limited to a share of the database connections ({@link shareConnections}). */
  sharesConnections?: boolean;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Sets the actor of the current request, for its log line and audit entries. */
export function identifyActor({ userId, sessionId, role }: Actor): void {
  const context = requestContext.getStore();
  if (context) context.actor = { userId, sessionId, role };
}

/**
 * Restricts the current request to the database connections that uploads and downloads share, and lets it wait for one
 * until its own deadline: hundreds can start at the same time (database/connectionShare.ts).
 */
export function shareConnections(): void {
  const context = requestContext.getStore();
  if (context) context.sharesConnections = true;
}

/** Time until the deadline of the current request in milliseconds, at most `limit`. Outside a request, `limit`. */
export function remainingTime(limit: number): number {
  const context = requestContext.getStore();
  return context ? Math.max(0, Math.min(limit, context.deadline - Date.now())) : limit;
}
