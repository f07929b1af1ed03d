/** What kind of failure an error is. Each edge translates it once: httpErrors.ts, grpcErrors.ts. */
export type ErrorCode =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'too_many_requests'
  | 'internal'
  | 'unavailable'
  | 'timeout';

/** Messages by the name of the field that they are about. */
export type FieldErrors = Record<string, string[]>;

interface Details {
  /** What was wrong, by field. Shown to the caller. */
  fields?: FieldErrors;
  /** Response headers that belong to the failure, `Retry-After` for one. */
  headers?: Record<string, string>;
  /** Shown to the caller: the present state of what could not be changed. */
  data?: unknown;
  /** Why it happened. Never shown to the caller. */
  cause?: unknown;
}

/**
 * The one error of the house. `code` is stable and meant for programs; `message` is a public sentence, shown
 * to the caller as it is; `cause` is private and only ever logged.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | null;
  readonly headers: Record<string, string>;
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = details.fields ?? null;
    this.headers = details.headers ?? {};
    this.data = details.data;
  }
}

/** 404 of D2 and D4: no such path, or an id that no record has. */
export const notFound = (message = 'Not Found') => new AppError('not_found', message);

/** 401 of every endpoint but login: no token, or one that does not count. */
export const unauthenticated = (cause?: unknown) =>
  new AppError('unauthenticated', 'UnauthorizedRequest', { cause });

/** 403 for a valid token whose account lacks the role. */
export const forbidden = () => new AppError('forbidden', 'Unauthorized Access');

/** 422 with messages by field. The homework endpoints say `ValidationError`, all others `Invalid Data`. */
export const invalid = (fields: FieldErrors, message = 'Invalid Data') =>
  new AppError('invalid', message, { fields });

/** 412 when the record is not what the caller has seen; `data` is what it is. */
export const preconditionFailed = (data: unknown) =>
  new AppError('precondition_failed', 'Precondition Failed', { data });

/** 503 when something that this answer needs cannot be reached at the moment. */
export const unavailable = (cause?: unknown) =>
  new AppError('unavailable', 'Service Unavailable', { headers: { 'Retry-After': '2' }, cause });
