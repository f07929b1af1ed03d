import { status } from '@grpc/grpc-js';
import type CircuitBreaker from 'opossum';
import { counter, gauge, histogram } from '../metrics/registry.ts';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const served = histogram('rpc_server_call_duration_seconds', 'Duration of received gRPC calls', buckets, [
  'rpc_method',
  'rpc_response_status_code',
]);
const made = histogram(
  'rpc_client_call_duration_seconds',
  'Duration of gRPC calls to other services, including retries',
  buckets,
  ['rpc_method', 'rpc_response_status_code'],
);
const breakerState = gauge(
  'gradeway_circuit_breaker_state',
  'State of the circuit breaker of a service: 1 for the current state, 0 for the others',
  ['callee', 'state'],
);
const refused = counter(
  'gradeway_circuit_breaker_refusals_total',
  'Calls that failed immediately because the circuit breaker was open',
  ['callee'],
);

/**
 * Starts measuring a received call. Returns a function that ends the measurement with a gRPC status code.
 * @param name `package.Service/Method`
 */
export const measureServerCall = (name: string) => start(served, name);

/** {@link measureServerCall} for calls to other services. */
export const measureClientCall = (name: string) => start(made, name);

function start(duration: typeof served, name: string): (code: number | undefined) => void {
  const startedAt = performance.now();
  return (code = status.UNKNOWN) => {
    const labels = { rpc_method: name, rpc_response_status_code: status[code] };
    duration.observe(labels, (performance.now() - startedAt) / 1000);
  };
}

const states = ['closed', 'half_open', 'open'] as const;

/** Exports the state of a service's circuit breaker. */
export function measureBreaker(breaker: CircuitBreaker, callee: string): void {
  const enter = (current: (typeof states)[number]) => () => {
    for (const state of states) breakerState.set({ callee, state }, state === current ? 1 : 0);
  };
  enter('closed')();
  refused.inc({ callee }, 0);
  breaker.on('open', enter('open'));
  breaker.on('halfOpen', enter('half_open'));
  breaker.on('close', enter('closed'));
  breaker.on('reject', () => refused.inc({ callee }));
}
