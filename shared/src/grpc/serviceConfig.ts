import type { ServiceDefinition } from '@grpc/grpc-js';

// proto-loader tells the options of a method, the types of grpc-js do not.
interface Described {
  path: string;
  /** As the methods of a client are called. */
  originalName?: string;
  options?: { idempotency_level?: string };
}

/**
 * How a client of this service calls it: every address that its name stands for in turn, and, of the methods that the
 * .proto marks `NO_SIDE_EFFECTS`, a call that found nobody there up to three times. What changes something is never
 * repeated: nobody knows how far it came.
 */
export function serviceConfigOf(definition: ServiceDefinition): string {
  const reads = readsOf(definition);
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: reads.length === 0 ? [] : [{ name: reads.map(nameOf), retryPolicy }],
  });
}

/** The names of the methods that change nothing. */
export const repeatable = (definition: ServiceDefinition): Set<string> =>
  new Set(readsOf(definition).flatMap(({ originalName }) => originalName ?? []));

const readsOf = (definition: ServiceDefinition): Described[] =>
  Object.values(definition as Record<string, Described>).filter(
    ({ options }) => options?.idempotency_level === 'NO_SIDE_EFFECTS',
  );

const retryPolicy = {
  ...{ maxAttempts: 3, initialBackoff: '0.05s', maxBackoff: '0.2s', backoffMultiplier: 2 },
  retryableStatusCodes: ['UNAVAILABLE'],
};

function nameOf({ path }: Described) {
  const [, service, method] = path.split('/');
  return { service, method };
}
