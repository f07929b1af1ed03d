import { BaseError, ConnectionError, DatabaseError, TimeoutError, UniqueConstraintError } from 'sequelize';

const codeOf = (error: unknown): string | undefined => {
  const original = error instanceof DatabaseError ? error.parent : error;
  return (original as { code?: string } | undefined)?.code;
};

// Postgres: too many connections, shutting down, cannot connect now, connection failures; and the time limits
// that openDatabase sets: a query or a lock that takes too long is the database being out of reach.
const unavailableStates = /^(53|57P|08|57014|55P03|25P03)/;
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** True when the database could not be reached or did not answer in time: the same call may work later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  const code = codeOf(error);
  if (code !== undefined && (unavailableStates.test(code) || socketCodes.has(code))) return true;
  // pg's own words when its time limits strike or the server ended the connection; they carry no code.
  return error instanceof Error && /Query read timeout|Connection terminated/.test(error.message);
}

/** True for a serialization failure or a deadlock: the transaction did nothing and may simply be repeated. */
export const isTransactionConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

/** True when a row would have broken the unique constraint or index of this name. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  if (!(error instanceof UniqueConstraintError)) return false;
  return (error.parent as { constraint?: string }).constraint === constraint;
}

/** True for every error that Sequelize throws by itself. Their messages may quote SQL and never leave a service. */
export const isDatabaseError = (error: unknown): boolean => error instanceof BaseError;

/** Kinds of failed queries. Only `fault` is always ours; `constraint` is often how a use case learns of a race. */
export const databaseFailures = ['unavailable', 'conflict', 'constraint', 'fault'] as const;

export function kindOfFailure(error: unknown): (typeof databaseFailures)[number] {
  if (isDatabaseUnavailable(error)) return 'unavailable';
  if (isTransactionConflict(error)) return 'conflict';
  // Integrity constraint violations are class 23 of SQLSTATE.
  const original = error instanceof BaseError && 'parent' in error ? error.parent : error;
  return codeOf(original)?.startsWith('23') ? 'constraint' : 'fault';
}
