import type { ServiceDefinition } from '@grpc/grpc-js';

// proto-loader sets these properties, but grpc-js does not declare them.
interface LoadedMethod {
  path: string;
  /** Name of the client method. */
  originalName?: string;
  options?: { idempotency_level?: string };
}

/**
 * Builds a client's gRPC service config. Calls are distributed over all resolved addresses. Calls of methods marked
 * `NO_SIDE_EFFECTS` in the .proto are attempted up to three times while the service is unavailable. Other calls are
 * never repeated, because a failed one may have taken effect.
 */
export function serviceConfigOf(definition: ServiceDefinition): string {
  const readOnly = readOnlyOf(definition);
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: readOnly.length === 0 ? [] : [{ name: readOnly.map(nameOf), retryPolicy }],
  });
}

/** Names of the methods that the .proto marks `NO_SIDE_EFFECTS`. */
export const readOnlyMethods = (definition: ServiceDefinition): Set<string> =>
  new Set(readOnlyOf(definition).flatMap(({ originalName }) => originalName ?? []));

const readOnlyOf = (definition: ServiceDefinition): LoadedMethod[] =>
  Object.values(definition as Record<string, LoadedMethod>).filter(
    ({ options }) => options?.idempotency_level === 'NO_SIDE_EFFECTS',
  );

const retryPolicy = {
  maxAttempts: 3,
  initialBackoff: '0.05s',
  maxBackoff: '0.2s',
  backoffMultiplier: 2,
  retryableStatusCodes: ['UNAVAILABLE'],
};

function nameOf({ path }: LoadedMethod) {
  const [, service, method] = path.split('/');
  return { service, method };
}
