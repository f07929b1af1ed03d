import type { Request, RequestHandler, Response } from 'express';
import { type AppError, forbidden, unauthenticated } from '../errors/appError.ts';
import type { Principal, VerifyToken } from './accessToken.ts';
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
    principals.set(res, await verifyRequest(req, verify));
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
): RequestHandler {
  return async (req, res, next) => {
    const principal = await verifyRequest(req, verify);
    if (!allowed.includes(principal.role)) throw refusal();
    principals.set(res, principal);
    next();
  };
}

function verifyRequest(req: Request, verify: VerifyToken): Promise<Principal> {
  const token = bearerToken(req);
  if (!token) throw unauthenticated('no bearer token');
  return verify(token);
}
