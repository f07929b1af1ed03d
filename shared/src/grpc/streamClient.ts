import { type Client, type ClientReadableStream, status } from '@grpc/grpc-js';
import { unavailable } from '../errors/appError.ts';
import { startMadeCall } from '../metrics/grpcCalls.ts';
import { rpcNames, type TracedStream, traceStream } from '../tracing/rpcSpans.ts';
import { type ClientConstructor, connect, type GrpcClientOptions, metadataWith } from './client.ts';
import { fromGrpcError } from './errors.ts';
import { createServiceCredential } from './serviceCredential.ts';

type Stream<Request, Response> = (request: Request, ...rest: never[]) => ClientReadableStream<Response>;
type RequestOf<C, M extends keyof C> = C[M] extends Stream<infer Request, infer _> ? Request : never;
type ResponseOf<C, M extends keyof C> = C[M] extends Stream<infer _, infer Response> ? Response : never;

interface StreamOptions {
  /** Aborting it ends the call, at the other side as well. */
  signal: AbortSignal;
  /** The longest to wait for the first message, or the end of a stream without one. Default 5 s. */
  firstMs?: number;
  /** The longest to wait for any other message; the time that its reader takes does not count. Default 30 s. */
  idleMs?: number;
  /** The longest that the whole call may take. Default 30 minutes. */
  longestMs?: number;
}

/** The streaming RPCs of one remote service. */
export interface GrpcStreamClient<C extends Client> {
  /**
   * The messages of a stream, fetched no faster than they are read.
   * @throws AppError `unavailable` when the service is out of reach or too slow; the signal's reason when it was aborted
   */
  read<M extends keyof C & string>(
    method: M,
    request: RequestOf<C, M>,
    options: StreamOptions,
  ): AsyncGenerator<ResponseOf<C, M>, void, void>;
  close(): void;
}

/**
 * Connects to a service of ours for RPCs that answer with a stream. Nothing is connected before the first call. The
 * connection is another than that of createGrpcClient: a long stream delays no short call.
 */
export function createGrpcStreamClient<C extends Client>(
  Service: ClientConstructor<C>,
  { address, caller, callee, secret }: GrpcClientOptions,
): GrpcStreamClient<C> {
  const client = connect(Service, address);
  const credential = createServiceCredential(secret, caller, callee);
  const nameOf = rpcNames(Service.service);

  function open<T>(
    method: string,
    request: unknown,
    longestMs: number,
    traced: TracedStream,
  ): ClientReadableStream<T> {
    const metadata = metadataWith(credential());
    traced.send(metadata);
    const calls = client as unknown as Record<string, (...parameters: unknown[]) => ClientReadableStream<T>>;
    const call = calls[method]?.(request, metadata, { deadline: Date.now() + longestMs });
    if (!call) throw new Error(`there is no RPC ${method}`);
    // After the last read nobody listens any more, and the end of a cancelled call is an error.
    return call.on('error', () => {});
  }

  return {
    close: () => client.close(),
    async *read(method, request, { signal, firstMs = 5_000, idleMs = 30_000, longestMs = 30 * 60_000 }) {
      signal.throwIfAborted();
      const traced = traceStream(nameOf(method), address);
      const measured = startMadeCall(nameOf(method));
      let failure: unknown;
      const call = open<ResponseOf<C, typeof method>>(method, request, longestMs, traced);
      const cancel = () => call.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const messages = call[Symbol.asyncIterator]();
        for (let limit = firstMs; ; limit = idleMs) {
          const next = await within(limit, messages.next());
          if (next.done) return;
          yield next.value;
        }
      } catch (error) {
        failure = error;
        signal.throwIfAborted();
        throw error instanceof Late ? unavailable(error) : fromGrpcError(error);
      } finally {
        signal.removeEventListener('abort', cancel);
        cancel();
        measured(failure === undefined ? status.OK : (failure as { code?: number }).code);
        traced.ended(failure);
      }
    },
  };
}

class Late extends Error {}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Late(`no message for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    // Who lost the race may still fail.
    promise.catch(() => {});
  }
}
