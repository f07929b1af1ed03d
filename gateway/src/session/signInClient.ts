import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { GrpcClient } from '@gradeway/shared/grpc/client';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { withinTrace } from '@gradeway/shared/tracing/span';

type Auth = GrpcClient<AuthServiceClient>;

/** Signs browsers in with a provider. */
export type SignInClient = Pick<Auth, 'call'>;

// Auth stops waiting for a provider earlier, and responds that it is unavailable.
const timeoutMs = 10_000;

/** Creates a client for auth's RPCs of sign-ins, with the span and the time limit that waiting for a provider requires. */
export function createSignInClient(auth: Auth, address: string): SignInClient {
  return {
    async call(method, request) {
      const name = `gradeway.auth.v1.AuthService/${method[0]?.toUpperCase()}${method.slice(1)}`;
      const span = requestContext.getStore()?.trace?.callRpc(address, name);
      try {
        const call = () => auth.call(method, request, { timeoutMs });
        const response = await (span ? withinTrace(span.traceparent, call) : call());
        span?.ended();
        return response;
      } catch (error) {
        span?.failed(error);
        throw error;
      }
    },
  };
}
