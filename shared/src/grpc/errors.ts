import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { AppError, unavailable } from '../errors/appError.ts';
import type { ErrorKind } from '../errors/errorCodes.ts';
import { StillWaiting } from '../errors/stillWaiting.ts';
import { toAppError } from '../errors/toAppError.ts';

const statusOf: Record<ErrorKind, status> = {
  malformed: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  conflict: status.ALREADY_EXISTS,
  precondition_failed: status.FAILED_PRECONDITION,
  precondition_required: status.FAILED_PRECONDITION,
  request_timeout: status.DEADLINE_EXCEEDED,
  too_large: status.RESOURCE_EXHAUSTED,
  unsupported_media_type: status.INVALID_ARGUMENT,
  invalid: status.INVALID_ARGUMENT,
  too_many_requests: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
  timeout: status.DEADLINE_EXCEEDED,
};

const stillWaitingKey = 'x-still-waiting';

/**
 * Converts a thrown value to the public part of an error: a status and the public message, never the cause. The
 * metadata shows whether the deadline interrupted a wait that another call can continue.
 */
export function toGrpcStatus(thrown: unknown): {
  code: status;
  details: string;
  metadata: Metadata;
  error: AppError;
} {
  const error = toAppError(thrown);
  const metadata = new Metadata();
  if (error.cause instanceof StillWaiting) {
    metadata.set(stillWaitingKey, '1');
    // gRPC's retry policy must not repeat the call within the same deadline.
    metadata.set('grpc-retry-pushback-ms', '-1');
  }
  return { code: statusOf[error.code], details: error.message, metadata, error };
}

/** True if the service is waiting for its database and the call's deadline was too short for that. */
export const isStillWaiting = (error: unknown): boolean =>
  (error as Partial<ServiceError>)?.metadata?.get(stillWaitingKey)[0] === '1';

const unreachableStatuses = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.RESOURCE_EXHAUSTED,
]);

// grpc-js maps an HTTP status without a gRPC status to UNIMPLEMENTED, INTERNAL and others, with these details.
const answeredByOtherServer = /^Received HTTP status code /;

/**
 * True if the response did not come from a gRPC server. The address of a deleted pod can lead to another HTTP server:
 * the next pod with that address, or a gateway outside the cluster once the node has no route to it.
 */
export const isFromOtherServer = (error: unknown): boolean =>
  answeredByOtherServer.test((error as Partial<ServiceError>)?.details ?? '');

/** True if the call failed without a response from the service. */
export const isUnreachable = (error: unknown): boolean =>
  unreachableStatuses.has((error as Partial<ServiceError>)?.code ?? status.OK) || isFromOtherServer(error);

/** Converts the error of a call: `unavailable` if the service is unreachable, otherwise `internal`. */
export function fromGrpcError(error: unknown): AppError {
  return isUnreachable(error)
    ? unavailable(error)
    : new AppError('internal', 'Server Error', { cause: error });
}
