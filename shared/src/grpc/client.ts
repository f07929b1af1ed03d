import { EventEmitter } from 'node:events';
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
import type { ServiceSecret } from '../config/serviceKeys.ts';
import { unavailable } from '../errors/appError.ts';
import { remainingTime, requestContext } from '../process/requestContext.ts';
import { injectTrace, rpcNames, traceClientCall } from '../tracing/rpcSpans.ts';
import { measureBreaker, measureClientCall } from './callMetrics.ts';
import { fromGrpcError, isFromOtherServer, isStillWaiting, isUnreachable } from './errors.ts';
import { readOnlyMethods, serviceConfigOf } from './serviceConfig.ts';
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

/** A method of a generated client, called by name. */
type UntypedUnary = (
  request: unknown,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, response: unknown) => void,
) => void;

interface CallOptions {
  /**
   * Timeout in milliseconds. The deadline of the current request may be earlier. Without this option the timeout is 2
   * s, and a read made for a request is repeated: once if no replica responded in time, and, while the service waits
   * for its database, for as long as the service and the request may wait.
   */
  timeoutMs?: number;
}

const defaultTimeoutMs = 2_000;

/** A client for one service. Every call carries a deadline, a service credential and the request id. */
export interface GrpcClient<C extends Client> {
  /** @throws AppError `unavailable` if the service is unreachable or too slow, `internal` for any other error */
  call<M extends keyof C & string>(
    method: M,
    request: RequestOf<C, M>,
    options?: CallOptions,
  ): Promise<ResponseOf<C, M>>;
  close(): void;
}

export interface GrpcClientOptions {
  /** `host:port`, a name for all replicas (`dns:///courses-grpc:9090`) or a list (`ipv4:10.0.0.1:9090,…`). */
  address: string;
  caller: ProcessName;
  callee: ProcessName;
  /** `SERVICE_KEYS`. */
  secret: ServiceSecret;
}

// Detects a hung replica. Until then it keeps receiving its share of the calls (round_robin).
const keepalive = {
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 2_000,
  'grpc.keepalive_permit_without_calls': 1,
};

/** Creates a generated client with the channel options that all clients share. It connects on the first call. */
export function createChannelClient<C extends Client>(
  Service: ClientConstructor<C>,
  address: string,
  options: ClientOptions,
): C {
  return new Service(address, credentials.createInsecure(), {
    ...options,
    'grpc.service_config': serviceConfigOf(Service.service),
    'grpc.initial_reconnect_backoff_ms': 100,
    // The default of two minutes would delay calls by many seconds after an outage.
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.max_receive_message_length': 8 * 1024 * 1024,
    // On Kubernetes the name resolves to the current replicas. With the default of 30 s, calls would go to replicas
    // that an update has already replaced.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  });
}

/** Call metadata: the service credential and the request id. */
export function callMetadata(credential: string): Metadata {
  // While the service restarts, calls wait for it until their deadline.
  const metadata = new Metadata({ waitForReady: true });
  metadata.set('authorization', `Bearer ${credential}`);
  const requestId = requestContext.getStore()?.requestId;
  if (requestId) metadata.set('x-request-id', requestId);
  return metadata;
}

const windowSeconds = 5;

// Rotates the windows of all circuit breakers every second. A timer for each would wake an idle process more often.
const seconds = new EventEmitter();
setInterval(() => seconds.emit('rotate'), 1_000).unref();

/**
 * Creates a client with a circuit breaker: if 60 % of at least ten calls in five seconds get no response, all calls
 * fail immediately for one second. Then a single call tests whether the service is available again.
 */
export function createGrpcClient<C extends Client>(
  Service: ClientConstructor<C>,
  { address, caller, callee, secret }: GrpcClientOptions,
): GrpcClient<C> {
  const client = createChannelClient(Service, address, keepalive);
  const credential = createServiceCredential(secret, caller, callee);
  const nameOf = rpcNames(Service.service);
  const readOnly = readOnlyMethods(Service.service);

  const breaker = new CircuitBreaker(sendWithRetry, {
    name: callee,
    timeout: false,
    errorThresholdPercentage: 60,
    volumeThreshold: 10,
    rollingCountTimeout: windowSeconds * 1_000,
    rollingCountBuckets: windowSeconds,
    rotateBucketController: seconds,
    // Nothing reads the durations or the sums that opossum would otherwise compute for listeners.
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    resetTimeout: 1_000,
    errorFilter: (error) => !isUnreachable(error),
  });
  measureBreaker(breaker, callee);

  // gRPC's retry policy does not cover a replica that crashes in the middle of its response, an address that now
  // belongs to another server, or a replica that hangs or lacks CPU time while others start on the same machine.
  async function sendWithRetry(method: string, request: unknown, timeoutMs?: number): Promise<unknown> {
    const deadline = Date.now() + remainingTime(timeoutMs ?? defaultTimeoutMs);
    try {
      return await send(method, request, deadline);
    } catch (error) {
      if (!readOnly.has(method)) throw error;
      const hasTime = timeoutMs === undefined && mayGoOn();
      if (isStillWaiting(error)) {
        if (hasTime) return sendWithRetry(method, request);
        throw error;
      }
      if (mayReachAnother(error)) return send(method, request, deadline);
      // Retries only once, so that a service whose replicas all hang does not delay its callers longer (decision 61).
      if (hasTime && isTimeout(error)) return send(method, request, Date.now() + defaultTimeoutMs);
      throw error;
    }
  }

  function send(method: string, request: unknown, deadline: number): Promise<unknown> {
    const metadata = callMetadata(credential());
    injectTrace(metadata);
    return new Promise((resolve, reject) => {
      // The generated types lack an index signature.
      const unary = (client as unknown as Record<string, UntypedUnary>)[method];
      const ended = measureClientCall(nameOf(method));
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
    async call(method, request, { timeoutMs } = {}) {
      try {
        const answer = await traceClientCall(nameOf(method), address, () =>
          breaker.fire(method, request, timeoutMs),
        );
        return answer as ResponseOf<C, typeof method>;
      } catch (error) {
        throw CircuitBreaker.isOurError(error as Error) ? unavailable(error) : fromGrpcError(error);
      }
    },
  };
}

// Only requests wait, because background work has its own retries.
const mayGoOn = (): boolean =>
  requestContext.getStore() !== undefined && remainingTime(defaultTimeoutMs) === defaultTimeoutMs;

const isTimeout = (error: unknown): boolean => (error as ServiceError).code === status.DEADLINE_EXCEEDED;

/** True if the same call may succeed on another replica. */
const mayReachAnother = (error: unknown): boolean =>
  (error as ServiceError).code === status.UNAVAILABLE || isFromOtherServer(error);
