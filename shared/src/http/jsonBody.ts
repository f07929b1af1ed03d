import express, { type RequestHandler } from 'express';
import { AppError } from '../errors/appError.ts';

// Not strict: a lone value is JSON as well, in which every field is missing.
const parse = express.json({ limit: '128kb', type: 'application/json', strict: false });

/**
 * Reads a JSON body of at most 128 KiB into `req.body`: 415 for another content type, 400 for what is not JSON,
 * 413 for more (D2). No body at all is an empty one.
 */
export const jsonBody: RequestHandler = (req, res, next) => {
  const { 'transfer-encoding': encoding, 'content-length': length } = req.headers;
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  if (hasBody && !req.is('application/json'))
    throw new AppError('unsupported_media_type', 'Unsupported Media Type');
  parse(req, res, next);
};

/** The same where a multipart form may come instead, which is left for the route to read. */
export const jsonBodyOrForm: RequestHandler = (req, res, next) =>
  req.is('multipart/form-data') ? next() : jsonBody(req, res, next);
