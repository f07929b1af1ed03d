import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { AppError, notFound } from '../errors/appError.ts';
import { type ErrorKind, errorCodeHeader } from '../errors/errorCodes.ts';
import { toAppError } from '../errors/toAppError.ts';
import type { Logger } from '../process/logger.ts';
import { recordFault } from '../tracing/httpSpans.ts';
import { loggedPath } from './loggedPath.ts';
import { receiveRest } from './receiveRest.ts';

type Receive = (req: Request, status: number) => Promise<void>;

const statusOf: Record<ErrorKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  precondition_required: 428,
  request_timeout: 408,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  timeout: 504,
};

/**
 * Sends an error in the format of D2: `{"message", "errors"}`, plus `data` if the error has any. Its code is in the header
 * `Error-Code`.
 */
export function sendError(res: Response, error: AppError): void {
  const body: Record<string, unknown> = { message: error.message, errors: error.fields };
  if (error.data !== undefined) body.data = error.data;
  res
    .status(statusOf[error.code])
    .set(errorCodeHeader, error.reason ?? error.code)
    .set(error.headers);
  // Closing a connection with unread data resets it, so a client that is still sending would lose the response (RFC
  // 9112 §9.6).
  if (!res.req.complete && !res.hasHeader('Connection')) res.set('Connection', 'keep-alive');
  res.json(body);
}

/**
 * Sends an error after the rest of a small body (receiveRest.ts). An error that closes the connection, such as 408, is
 * sent immediately.
 * @param receive receives the rest of the body
 */
export function sendErrorAfterBody(
  res: Response,
  error: AppError,
  receive: Receive = (req) => receiveRest(req),
): void {
  if (error.headers.Connection === 'close') sendError(res, error);
  else void receive(res.req, statusOf[error.code]).then(() => sendError(res, error));
}

// body-parser and Express set `type` and `status` on their errors (http-errors).
function fromExpress(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new AppError('too_large', 'Payload Too Large');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new AppError('unsupported_media_type', 'Unsupported Media Type');
  if (error instanceof URIError) return notFound();
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new AppError('malformed', 'Malformed JSON', { cause: error });
  return undefined;
}

/** The last handler of every application: logs errors and sends them to the client with `sendErrorAfterBody`. */
export function handleErrors(log: Logger, receive?: Receive): ErrorRequestHandler {
  return (thrown, req, res, _next) => {
    const error = fromExpress(thrown) ?? toAppError(thrown);
    if (statusOf[error.code] >= 500) recordFault(res, error.code === 'internal' ? error.cause : error);
    if (error.code === 'internal')
      log.error({ err: error.cause ?? error, path: loggedPath(req.path) }, 'request failed');
    else if (error.code === 'unavailable' || error.code === 'timeout')
      log.warn({ err: error.cause ?? error, path: loggedPath(req.path) }, 'request could not be served');
    // A response that has started cannot be replaced. Truncating it keeps the client from treating it as complete.
    if (res.headersSent) res.destroy();
    else sendErrorAfterBody(res, error, receive);
  };
}

/** Handles requests that match no route. */
export const handleUnknownPath: RequestHandler = () => {
  throw notFound();
};
