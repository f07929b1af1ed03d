import { type Client, type ClientReadableStream, status } from '@grpc/grpc-js';
import { unavailable } from '../errors/appError.ts';
import { rpcNames, type TracedStream, traceClientStream } from '../tracing/rpcSpans.ts';
import { measureClientCall } from './callMetrics.ts';
import {
  type ClientConstructor,
  callMetadata,
  createChannelClient,
  type GrpcClientOptions,
} from './client.ts';
import { fromGrpcError } from './errors.ts';
import { limitMessages, MessageTimeout } from './messageLimit.ts';
import { createServiceCredential } from './serviceCredential.ts';

// With the default of 64 KiB, the server would pause within most messages until the client has read the first half.
const windowBytes = 1024 * 1024;

type Stream<Request, Response> = (request: Request, ...rest: never[]) => ClientReadableStream<Response>;
type RequestOf<C, M extends keyof C> = C[M] extends Stream<infer Request, infer _> ? Request : never;
type ResponseOf<C, M extends keyof C> = C[M] extends Stream<infer _, infer Response> ? Response : never;

interface StreamOptions {
  /** Aborting it cancels the call, on the server too. */
  signal: AbortSignal;
  /** Maximum wait for the first message, or for the end of an empty stream, in milliseconds. 5 s by default. */
  firstMs?: number;
  /** Maximum wait for each later message, excluding the reader's own time. 30 s by default. */
  idleMs?: number;
  /** Maximum duration of the whole call. 30 minutes by default. */
  maxMs?: number;
}

/** A client for one service's server-streaming RPCs. */
export interface GrpcStreamClient<C extends Client> {
  /**
   * Reads the messages of a stream, with backpressure.
   * @throws AppError `unavailable` if the service is unreachable or too slow; the signal's reason after an abort
   */
  read<M extends keyof C & string>(
    method: M,
    request: RequestOf<C, M>,
    options: StreamOptions,
  ): AsyncGenerator<ResponseOf<C, M>, void, void>;
  close(): void;
}

/**
 * Creates a client for server-streaming RPCs. It connects on the first call, separately from createGrpcClient, so that
 * a long stream does not delay unary calls.
 */
export function createGrpcStreamClient<C extends Client>(
  Service: ClientConstructor<C>,
  { address, caller, callee, secret }: GrpcClientOptions,
): GrpcStreamClient<C> {
  // No keepalive: on a connection that the server closes gracefully, because of its age or a shutdown, Node.js does not
  // send pings, so grpc-js would consider the connection dead and abort its streams. `idleMs` detects dead connections
  // instead.
  const client = createChannelClient(Service, address, { 'grpc-node.flow_control_window': windowBytes });
  const credential = createServiceCredential(secret, caller, callee);
  const nameOf = rpcNames(Service.service);

  function open<T>(
    method: string,
    request: unknown,
    maxMs: number,
    traced: TracedStream,
  ): ClientReadableStream<T> {
    const metadata = callMetadata(credential());
    traced.inject(metadata);
    const calls = client as unknown as Record<string, (...parameters: unknown[]) => ClientReadableStream<T>>;
    const call = calls[method]?.(request, metadata, { deadline: Date.now() + maxMs });
    if (!call) throw new Error(`there is no RPC ${method}`);
    // Cancelling emits an error event, which would end the process if nothing listened.
    return call.on('error', () => {});
  }

  return {
    close: () => client.close(),
    async *read(method, request, { signal, firstMs = 5_000, idleMs = 30_000, maxMs = 30 * 60_000 }) {
      signal.throwIfAborted();
      const traced = traceClientStream(nameOf(method), address);
      const measured = measureClientCall(nameOf(method));
      let failure: unknown;
      const call = open<ResponseOf<C, typeof method>>(method, request, maxMs, traced);
      const cancel = () => call.cancel();
      const limit = limitMessages({ firstMs, idleMs, cancel });
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const messages = call[Symbol.asyncIterator]();
        for (;;) {
          const next = await limit.wait(messages.next());
          if (next.done) return;
          yield next.value;
        }
      } catch (error) {
        failure = error;
        signal.throwIfAborted();
        throw error instanceof MessageTimeout ? unavailable(error) : fromGrpcError(error);
      } finally {
        limit.end();
        signal.removeEventListener('abort', cancel);
        cancel();
        measured(failure === undefined ? status.OK : (failure as { code?: number }).code);
        traced.ended(failure);
      }
    },
  };
}
