import type { Request, RequestHandler, Response } from 'express';
import { type AppError, forbidden, unauthenticated } from '../errors/appError.ts';
import { routeOf } from '../http/route.ts';
import { type Actor, identifyActor } from '../process/requestContext.ts';
import type { Principal, VerifyToken } from './accessToken.ts';
import { requireScope } from './requireScope.ts';
import type { Role } from './roles.ts';

const bearer = /^Bearer +([^\s]+) *$/i;

/** Returns the token in `Authorization: Bearer …` (RFC 6750 §2.1). Tokens in forms and queries are not accepted. */
export function bearerToken(req: Request): string | undefined {
  return bearer.exec(req.get('authorization') ?? '')?.[1];
}

const principals = new WeakMap<Response, Principal>();

/** Returns the principal of the request. @throws Error on a route without `authenticate` or `requireRole` */
export function principalOf(res: Response): Principal {
  const principal = principals.get(res);
  if (!principal) throw new Error('the route does not authenticate its requests');
  return principal;
}

/** A principal whose token belongs to a session. */
export type SessionPrincipal = Principal & { sessionId: number };

/**
 * Returns the principal of a request that only a session may make.
 * @throws AppError `forbidden` for a token that was issued for programs
 */
export function sessionPrincipalOf(res: Response): SessionPrincipal {
  const principal = principalOf(res);
  if (principal.sessionId === null) throw forbidden();
  return { ...principal, sessionId: principal.sessionId };
}

/**
 * Requires a valid token, with the scope of the operation if it was issued for programs; otherwise responds 401 or 403.
 * No other header identifies the caller.
 */
export function authenticate(verify: VerifyToken): RequestHandler {
  return async (req, res, next) => {
    setPrincipal(res, await verifyRequest(req, res, verify));
    next();
  };
}

/**
 * Like {@link authenticate}, and requires one of the roles. `refusal` creates the error for other roles: 403 by default, 401 on the
 * admin's homework endpoints (D36). A token that is limited to courses is refused too.
 */
export function requireRole(
  verify: VerifyToken,
  allowed: readonly Role[],
  refusal?: () => AppError,
): RequestHandler {
  return requirePrincipal(
    verify,
    ({ role, courseIds }) => allowed.includes(role) && courseIds === null,
    refusal,
  );
}

/**
 * Like {@link requireRole}, for routes about courses: it also accepts tokens that are limited to courses. Such a route must
 * compare the course with that limit (courseLimit.ts), as `requireGrader` does.
 */
export function requireRoleInCourses(
  verify: VerifyToken,
  allowed: readonly Role[],
  refusal?: () => AppError,
): RequestHandler {
  return requirePrincipal(verify, ({ role }) => allowed.includes(role), refusal);
}

function requirePrincipal(
  verify: VerifyToken,
  isAllowed: (principal: Principal) => boolean,
  refusal: () => AppError = forbidden,
): RequestHandler {
  return async (req, res, next) => {
    const principal = await verifyRequest(req, res, verify);
    if (!isAllowed(principal)) throw refusal();
    setPrincipal(res, principal);
    next();
  };
}

function setPrincipal(res: Response, principal: Principal): void {
  principals.set(res, principal);
  identifyActor(actorOf(principal));
}

/** Returns who the log and the audit log name for requests with a principal's token. */
export const actorOf = ({ userId, sessionId, kind, role }: Principal): Actor => ({
  userId,
  sessionId,
  role: kind === 'service' ? 'service' : role,
});

async function verifyRequest(req: Request, res: Response, verify: VerifyToken): Promise<Principal> {
  const token = bearerToken(req);
  if (!token) throw unauthenticated('no bearer token');
  const principal = await verify(token);
  // A guard that is not part of a route has no template, which refuses tokens for programs.
  requireScope(principal, req.method, routeOf(req, res) ?? '');
  return principal;
}
