import express, { type RequestHandler } from 'express';
import { AppError } from '../errors/appError.ts';

/** Max body size of {@link largeJsonBody}. The gateway allows the same on these routes. */
export const largeJsonBytes = 512 * 1024;

// No field is nested this deep. Functions that recurse into a value, such as JSON.stringify, overflow the stack at a
// few thousand levels.
const maxLevels = 32;

/** Replaces values at deeper levels with null, which the schema then rejects in any field it knows. */
function cutDeepLevels(value: unknown, levels = maxLevels): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, each] of Object.entries(fields))
    if (typeof each === 'object' && levels === 0) fields[name] = null;
    else cutDeepLevels(each, levels - 1);
}

function parseUpTo(limit: number): RequestHandler {
  // Not strict: a primitive value is also valid JSON. Validation then reports every field as missing.
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
 * JSON, 413 for a larger body. A request without a body is accepted and leaves `req.body` undefined.
 */
export const jsonBody = parseUpTo(128 * 1024);

/** {@link jsonBody} with a limit of 512 KiB, for graders' marks and rubrics. */
export const largeJsonBody = parseUpTo(largeJsonBytes);

/** {@link jsonBody} for routes that also accept a multipart form and parse it themselves. */
export const jsonBodyOrForm: RequestHandler = (req, res, next) =>
  req.is('multipart/form-data') ? next() : jsonBody(req, res, next);
