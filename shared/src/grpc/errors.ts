import { type ServiceError, status } from '@grpc/grpc-js';
import { AppError, type ErrorCode, unavailable } from '../errors/appError.ts';
import { toAppError } from '../http/errors.ts';

const statusOf: Record<ErrorCode, status> = {
  malformed: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  conflict: status.ALREADY_EXISTS,
  precondition_failed: status.FAILED_PRECONDITION,
  too_large: status.RESOURCE_EXHAUSTED,
  unsupported_media_type: status.INVALID_ARGUMENT,
  invalid: status.INVALID_ARGUMENT,
  too_many_requests: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
  timeout: status.DEADLINE_EXCEEDED,
};

/** What a gRPC caller may learn of an error: a status and the public sentence, never the cause. */
export function toGrpcStatus(thrown: unknown): { code: status; details: string; error: AppError } {
  const error = toAppError(thrown);
  return { code: statusOf[error.code], details: error.message, error };
}

const outOfReach = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.RESOURCE_EXHAUSTED,
]);

/** True when the call did not get an answer, so that it says nothing about what was asked. */
export const isOutOfReach = (error: unknown): boolean =>
  outOfReach.has((error as Partial<ServiceError>)?.code ?? status.OK);

/** A failed call as its caller sees it: 503 when the other service is out of reach, else a fault of ours. */
export function fromGrpcError(error: unknown): AppError {
  return isOutOfReach(error)
    ? unavailable(error)
    : new AppError('internal', 'Server Error', { cause: error });
}
