import express, { type RequestHandler } from 'express';
import { AppError } from '../errors/appError.ts';

/** The largest body of {@link largeJsonBody}, which the gateway lets pass on the same routes. */
export const largeJsonBytes = 512 * 1024;

// No field is nested this deep. Functions that recur into a value, like JSON.stringify, overflow the stack at some thousand levels.
const mostLevels = 32;

/** Replaces values in deeper levels by null, which the schema then refuses in any field that it knows. */
function cutDeepLevels(value: unknown, levels = mostLevels): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, each] of Object.entries(fields))
    if (typeof each === 'object' && levels === 0) fields[name] = null;
    else cutDeepLevels(each, levels - 1);
}

function parseUpTo(limit: number): RequestHandler {
  // Not strict: a primitive value is valid JSON, too. Validation then reports every field as missing.
  const parse = express.json({ limit, type: 'application/json', strict: false });
  return (req, res, next) => {
    const { 'transfer-encoding': encoding, 'content-length': length } = req.headers;
    const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
    if (hasBody && !req.is('application/json'))
      throw new AppError('unsupported_media_type', 'Unsupported Media Type');
    parse(req, res, (error?: unknown) => {
      cutDeepLevels(req.body);
      next(error);
    });
  };
}

/**
 * Parses a JSON body of at most 128 KiB into `req.body`. Errors (D2): 415 for another content type, 400 for malformed
 * JSON, 413 for a larger body. A request without a body is accepted; `req.body` is then undefined.
 */
export const jsonBody = parseUpTo(128 * 1024);

/** {@link jsonBody} of at most 512 KiB, for the marks and rubrics of graders. */
export const largeJsonBody = parseUpTo(largeJsonBytes);

/** {@link jsonBody} for routes that also accept a multipart form, which they parse themselves. */
export const jsonBodyOrForm: RequestHandler = (req, res, next) =>
  req.is('multipart/form-data') ? next() : jsonBody(req, res, next);
