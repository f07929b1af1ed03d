import { BaseError, ConnectionAcquireTimeoutError, ConnectionError, TimeoutError } from 'sequelize';
import { type AppError, unavailable } from '../errors/appError.ts';
import { StillWaiting } from '../errors/stillWaiting.ts';

// Sequelize wraps the errors of the driver. The errors of prepared statements (query.ts) are not wrapped.
const driverErrorOf = (error: unknown) =>
  (error instanceof BaseError && 'parent' in error ? error.parent : error) as
    | { code?: string; constraint?: string }
    | undefined;

const codeOf = (error: unknown): string | undefined => driverErrorOf(error)?.code;

// Postgres SQLSTATEs for too many connections, shutdown, startup and connection failures, and for the timeouts that
// openDatabase sets on queries, locks and idle transactions.
const unavailableStates = /^(53|57P|08|57014|55P03|25P03)/;
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** True if the database is unreachable or timed out. The same call may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof StillWaiting)
    return true;
  const code = codeOf(error);
  if (code !== undefined && (unavailableStates.test(code) || socketCodes.has(code))) return true;
  // pg reports its own timeouts and closed connections without a code.
  return (
    error instanceof Error && /Query read timeout|Connection terminated|not queryable/.test(error.message)
  );
}

// Postgres SQLSTATEs for a wrong password or role and for a missing database.
const refusedStates = /^(28|3D)/;

/**
 * True if a connection could not be opened for a reason that may pass: refused, dropped, timed out, no connection left,
 * or a server that is starting or shutting down. A busy pool does not count as a connection failure.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof ConnectionAcquireTimeoutError || !isDatabaseUnavailable(error)) return false;
  return !refusedStates.test(String((error as { parent?: { code?: unknown } }).parent?.code));
}

/** True for a serialization failure or a deadlock. The transaction was rolled back and can be retried. */
export const isTransactionConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

/** True if a statement did not get a lock within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** True if a row violates the unique constraint or index with this name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  // SQLSTATE 23505: unique violation.
  const original = driverErrorOf(error);
  return original?.code === '23505' && original.constraint === constraint;
}

/** Maps an unavailable database to 503. Returns undefined for any other error, including other failed queries. */
export const translateDatabaseError = (error: unknown): AppError | undefined =>
  isDatabaseUnavailable(error) ? unavailable(error) : undefined;

/** Why a query failed. Only `fault` always means a defect; `constraint` is often an expected race between requests. */
export const queryFailureReasons = ['unavailable', 'conflict', 'constraint', 'fault'] as const;

export function queryFailureReason(error: unknown): (typeof queryFailureReasons)[number] {
  if (isDatabaseUnavailable(error)) return 'unavailable';
  if (isTransactionConflict(error)) return 'conflict';
  // SQLSTATE class 23: integrity constraint violation.
  return codeOf(error)?.startsWith('23') ? 'constraint' : 'fault';
}
