import {
  type Client,
  type ClientOptions,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type requestCallback,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import CircuitBreaker from 'opossum';
import { unavailable } from '../errors/appError.ts';
import { measureBreaker, startMadeCall } from '../metrics/grpcCalls.ts';
import { remainingTime, requestContext } from '../process/requestContext.ts';
import { rpcNames, sendTrace, traceCall } from '../tracing/rpcSpans.ts';
import { fromGrpcError, isOutOfReach } from './errors.ts';
import { repeatable, serviceConfigOf } from './serviceConfig.ts';
import { createServiceCredential, type ProcessName } from './serviceCredential.ts';

export interface ClientConstructor<C extends Client> {
  new (
    address: string,
    channelCredentials: ReturnType<typeof credentials.createInsecure>,
    options?: ClientOptions,
  ): C;
  service: ServiceDefinition;
}

type Unary<Request, Response> = (request: Request, callback: requestCallback<Response>) => ClientUnaryCall;
type RequestOf<C, M extends keyof C> = C[M] extends Unary<infer Request, infer _> ? Request : never;
type ResponseOf<C, M extends keyof C> = C[M] extends Unary<infer _, infer Response> ? Response : never;

/** A method of a generated client. */
type UntypedUnary = (
  request: unknown,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, response: unknown) => void,
) => void;

interface CallOptions {
  /** The longest to wait; never longer than what is left of the request being served. Default 2 s. */
  timeoutMs?: number;
}

/** One remote service. Every call has a deadline, our credential and the request's id. */
export interface GrpcClient<C extends Client> {
  /** @throws AppError `unavailable` when the service is out of reach or too slow */
  call<M extends keyof C & string>(
    method: M,
    request: RequestOf<C, M>,
    options?: CallOptions,
  ): Promise<ResponseOf<C, M>>;
  close(): void;
}

export interface GrpcClientOptions {
  /** `host:port`, a name that means every replica (`dns:///courses-grpc:9090`) or a list (`ipv4:10.0.0.1:9090,…`). */
  address: string;
  caller: ProcessName;
  callee: ProcessName;
  secret: string;
}

/** A client of a service, as every one of ours behaves. */
export function connect<C extends Client>(Service: ClientConstructor<C>, address: string): C {
  return new Service(address, credentials.createInsecure(), {
    'grpc.service_config': serviceConfigOf(Service.service),
    'grpc.initial_reconnect_backoff_ms': 100,
    // With the default of two minutes a service that comes back is found only many seconds later.
    'grpc.max_reconnect_backoff_ms': 1_000,
    // Calls go to every replica in turn, and to one that fell silent until this notices it.
    'grpc.keepalive_time_ms': 5_000,
    'grpc.keepalive_timeout_ms': 2_000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': 8 * 1024 * 1024,
    // On Kubernetes a name means the replicas of the moment. With the default of half a minute between two questions the
    // addresses of replicas that an update has just replaced would be called until then.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  });
}

/** What goes with a call: who calls, and for which request. */
export function metadataWith(credential: string): Metadata {
  // A service that is just being started again is waited for, as long as the deadline allows.
  const metadata = new Metadata({ waitForReady: true });
  metadata.set('authorization', `Bearer ${credential}`);
  const requestId = requestContext.getStore()?.requestId;
  if (requestId) metadata.set('x-request-id', requestId);
  return metadata;
}

/**
 * Connects to a service of ours. A circuit breaker stands before it: when most calls of the last seconds got
 * no answer, calls fail at once for a second, then one is let through to try.
 */
export function createGrpcClient<C extends Client>(
  Service: ClientConstructor<C>,
  { address, caller, callee, secret }: GrpcClientOptions,
): GrpcClient<C> {
  const client = connect(Service, address);
  const credential = createServiceCredential(secret, caller, callee);
  const nameOf = rpcNames(Service.service);
  const reads = repeatable(Service.service);

  const breaker = new CircuitBreaker(sendInTime, {
    name: callee,
    timeout: false,
    errorThresholdPercentage: 60,
    volumeThreshold: 10,
    rollingCountTimeout: 5_000,
    resetTimeout: 1_000,
    errorFilter: (error) => !isOutOfReach(error),
  });
  measureBreaker(breaker, callee);

  // A replica that dies in the middle of its answer is not made good by the policy of gRPC, which repeats no call of
  // which the answer has begun.
  async function sendInTime(method: string, request: unknown, timeoutMs: number): Promise<unknown> {
    const deadline = Date.now() + remainingTime(timeoutMs);
    try {
      return await send(method, request, deadline);
    } catch (error) {
      if (!reads.has(method) || (error as ServiceError).code !== status.UNAVAILABLE) throw error;
      return send(method, request, deadline);
    }
  }

  function send(method: string, request: unknown, deadline: number): Promise<unknown> {
    const metadata = metadataWith(credential());
    sendTrace(metadata);
    return new Promise((resolve, reject) => {
      // The generated types know every method by name; here it is a value.
      const unary = (client as unknown as Record<string, UntypedUnary>)[method];
      const ended = startMadeCall(nameOf(method));
      unary?.call(client, request, metadata, { deadline }, (error, response) => {
        ended(error ? error.code : status.OK);
        if (error) reject(error);
        else resolve(response);
      });
    });
  }

  return {
    close() {
      breaker.shutdown();
      client.close();
    },
    async call(method, request, { timeoutMs = 2_000 } = {}) {
      try {
        const answer = await traceCall(nameOf(method), address, () =>
          breaker.fire(method, request, timeoutMs),
        );
        return answer as ResponseOf<C, typeof method>;
      } catch (error) {
        throw CircuitBreaker.isOurError(error as Error) ? unavailable(error) : fromGrpcError(error);
      }
    },
  };
}
