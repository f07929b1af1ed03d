import type { Request, RequestHandler, Response } from 'express';
import type { Principal, VerifyToken } from './accessToken.ts';
import { type AppError, forbidden, unauthenticated } from './appError.ts';
import type { Role } from './roles.ts';

const bearer = /^Bearer +([^\s]+) *$/i;

/** The token of `Authorization: Bearer …` (RFC 6750 §2.1); the only place where one is looked for. */
export function bearerToken(req: Request): string | undefined {
  return bearer.exec(req.get('authorization') ?? '')?.[1];
}

const principals = new WeakMap<Response, Principal>();

/** Who is asking. Only below `authenticate` or `requireRole`; elsewhere it throws. */
export function principalOf(res: Response): Principal {
  const principal = principals.get(res);
  if (!principal) throw new Error('no route may ask for the principal before authenticate');
  return principal;
}

/** Lets only requests with a valid token through, 401 for all others. No other header says who somebody is. */
export function authenticate(verify: VerifyToken): RequestHandler {
  return async (req, res, next) => {
    const token = bearerToken(req);
    if (!token) throw unauthenticated('no bearer token');
    principals.set(res, await verify(token));
    next();
  };
}

/**
 * Lets only requests with a valid token of one of these roles through. `refusal` makes the error for a valid
 * token of another role: 403 by default, on the admin's homework endpoints 401.
 */
export function requireRole(
  verify: VerifyToken,
  allowed: readonly Role[],
  refusal: () => AppError = forbidden,
): RequestHandler[] {
  const checkRole: RequestHandler = (_req, res, next) => {
    if (!allowed.includes(principalOf(res).role)) throw refusal();
    next();
  };
  return [authenticate(verify), checkRole];
}
