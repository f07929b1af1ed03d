import type { ServiceDefinition } from '@grpc/grpc-js';

// proto-loader tells the options of a method, the types of grpc-js do not.
interface Described {
  path: string;
  options?: { idempotency_level?: string };
}

/**
 * How a client of this service calls it: every address that its name stands for in turn, and, of the methods that the
 * .proto marks `NO_SIDE_EFFECTS`, a call that found nobody there up to three times. What changes something is never
 * repeated: nobody knows how far it came.
 */
export function serviceConfigOf(definition: ServiceDefinition): string {
  const methods: Described[] = Object.values(definition);
  const reads = methods.filter(({ options }) => options?.idempotency_level === 'NO_SIDE_EFFECTS');
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: reads.length === 0 ? [] : [{ name: reads.map(nameOf), retryPolicy }],
  });
}

const retryPolicy = {
  ...{ maxAttempts: 3, initialBackoff: '0.05s', maxBackoff: '0.2s', backoffMultiplier: 2 },
  retryableStatusCodes: ['UNAVAILABLE'],
};

function nameOf({ path }: Described) {
  const [, service, method] = path.split('/');
  return { service, method };
}
