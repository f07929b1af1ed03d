import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { DatabaseError } from 'sequelize';
import { isDatabaseUnavailable } from '../database/errors.ts';
import { AppError, type ErrorCode, notFound, unavailable } from '../errors/appError.ts';
import type { Logger } from '../process/logger.ts';
import { recordFault } from '../tracing/httpSpans.ts';

const statusOf: Record<ErrorCode, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  timeout: 504,
};

/** Writes an error as D2 has it: `{"message", "errors"}`, and `data` where the error carries a state. */
export function sendError(res: Response, error: AppError): void {
  const body: Record<string, unknown> = { message: error.message, errors: error.fields };
  if (error.data !== undefined) body.data = error.data;
  res.status(statusOf[error.code]).set(error.headers).json(body);
}

/**
 * Turns anything thrown while a request was served into the error that its caller may see. What is not known
 * here becomes `internal`: the caller learns nothing of it, the log does.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) return unavailable(error);
  return fromBodyParser(error) ?? new AppError('internal', 'Server Error', { cause: error });
}

// body-parser and express mark their errors with `type` and `status` (http-errors).
function fromBodyParser(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || error instanceof DatabaseError) return undefined;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new AppError('too_large', 'Payload Too Large');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new AppError('unsupported_media_type', 'Unsupported Media Type');
  if (error instanceof URIError) return notFound();
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new AppError('malformed', 'Malformed JSON', { cause: error });
  return undefined;
}

/** The last handler of every application: nothing below it answers an error. */
export function handleErrors(log: Logger): ErrorRequestHandler {
  return (thrown, req, res, _next) => {
    const error = toAppError(thrown);
    if (statusOf[error.code] >= 500) recordFault(res, error.code === 'internal' ? error.cause : error);
    if (error.code === 'internal') log.error({ err: error.cause ?? error, path: req.path }, 'request failed');
    else if (error.code === 'unavailable' || error.code === 'timeout')
      log.warn({ err: error.cause ?? error, path: req.path }, 'request could not be served');
    // An answer that has begun cannot become an error any more: cut it, so that it is not taken for complete.
    if (res.headersSent) res.destroy();
    else sendError(res, error);
  };
}

/** Answers what no route took. */
export const handleUnknownPath: RequestHandler = () => {
  throw notFound();
};
