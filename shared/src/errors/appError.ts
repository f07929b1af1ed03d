import type { ErrorKind, ErrorReason } from './errorCodes.ts';

/** Messages by field name. */
export type FieldErrors = Record<string, string[]>;

interface Details {
  /** Distinguishes the error from others of its kind. Sent to the caller as `Error-Code`. */
  reason?: ErrorReason;
  /** Validation messages by field. Sent to the caller. */
  fields?: FieldErrors;
  /** Response headers that go with the error, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Current state of the record that could not be changed. Sent to the caller. */
  data?: unknown;
  /** The underlying error. Logged, never sent to the caller. */
  cause?: unknown;
}

/**
 * The application's only error type. `code` and `reason` are stable and meant for programs; `message` is public and sent
 * to the caller unchanged; `cause` is private and only logged.
 */
export class AppError extends Error {
  readonly code: ErrorKind;
  readonly reason: ErrorReason | null;
  readonly fields: FieldErrors | null;
  readonly headers: Record<string, string>;
  readonly data: unknown;

  constructor(code: ErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = details.reason ?? null;
    this.fields = details.fields ?? null;
    this.headers = details.headers ?? {};
    this.data = details.data;
  }
}

/** 404 (D2, D4): an unknown path, or an id without a record. */
export const notFound = (message = 'Not Found') => new AppError('not_found', message);

/** 401 on every endpoint except login: the token is missing, invalid, expired or revoked. */
export const unauthenticated = (cause?: unknown) =>
  new AppError('unauthenticated', 'UnauthorizedRequest', { cause });

/** 403: the token is valid, but the account lacks the role. */
export const forbidden = () => new AppError('forbidden', 'Unauthorized Access');

/** 403: the request is sensitive, and the session has not re-authenticated recently (`REAUTHENTICATION`). */
export const reauthenticationRequired = () =>
  new AppError('forbidden', 'Reauthentication Required', { reason: 'reauthentication_required' });

/** 422 with messages by field. `message` is `ValidationError` on the homework endpoints, `Invalid Data` elsewhere. */
export const invalid = (fields: FieldErrors, message = 'Invalid Data') =>
  new AppError('invalid', message, { fields });

/** 412: `If-Match` does not match the record. `data` is its current state. */
export const preconditionFailed = (data: unknown) =>
  new AppError('precondition_failed', 'Precondition Failed', { data, reason: 'changed_meanwhile' });

/** 503: a dependency of this request is unreachable. */
export const unavailable = (cause?: unknown) =>
  new AppError('unavailable', 'Service Unavailable', { headers: { 'Retry-After': '2' }, cause });
