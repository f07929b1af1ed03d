import { once } from 'node:events';
import { type handleServerStreamingCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import type { Logger } from '../process/logger.ts';
import { toGrpcStatus } from './errors.ts';
import { serveCall } from './serveCall.ts';
import type { ProcessName } from './serviceCredential.ts';

/**
 * A server-streaming RPC as a plain function from a request to messages. It may throw AppErrors. `signal` is aborted
 * when the caller disconnects or its deadline passes; the function must then release the source of its messages.
 */
export type StreamRpc<Request, Response> = (request: Request, signal: AbortSignal) => AsyncIterable<Response>;

interface Options {
  /** Name in logs, spans and metrics: `package.Service/Method`. */
  name: string;
  rpc: StreamRpc<unknown, unknown>;
  /** Verifies a credential and returns its caller; undefined if it is invalid. */
  verifyCredential(credential: string): ProcessName | undefined;
  /** The processes that may call the method. */
  callers: readonly ProcessName[];
  log: Logger;
}

/**
 * Creates the handler of a server-streaming RPC. It applies backpressure: it produces messages only as fast as the
 * caller reads them, and stops when the caller disconnects.
 */
export function streamHandler({
  name,
  rpc,
  verifyCredential,
  callers,
  log,
}: Options): handleServerStreamingCall<unknown, unknown> {
  return (call) => {
    const startedAt = Date.now();
    const cancelled = new AbortController();
    const { signal } = cancelled;
    call.once('cancelled', () => cancelled.abort());
    return serveCall(call, {
      name,
      // Only the caller's deadline applies, because the duration depends on the amount of data.
      maxMs: Number.POSITIVE_INFINITY,
      verifyCredential,
      callers,
      log,
      refuse: (answer) => call.emit('error', answer),
      async serve(caller) {
        try {
          await send(rpc(call.request, signal), call, signal);
          call.end();
          log.debug({ method: name, caller, ms: Date.now() - startedAt }, 'gRPC call');
          return status.OK;
        } catch (thrown) {
          if (signal.aborted) {
            log.debug({ method: name, caller }, 'the caller cancelled a stream');
            return status.CANCELLED;
          }
          const { error, ...answer } = toGrpcStatus(thrown);
          log.warn({ method: name, caller, err: error.cause ?? error }, 'gRPC call failed');
          call.emit('error', answer);
          return answer.code;
        }
      },
    });
  };
}

// grpc-js buffers a few messages. After that, write() returns false until the caller has read some.
async function send(
  messages: AsyncIterable<unknown>,
  call: ServerWritableStream<unknown, unknown>,
  signal: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    signal.throwIfAborted();
    // A cancelled call never emits 'drain', so the signal must end the wait.
    if (!call.write(message)) await once(call, 'drain', { signal });
  }
  signal.throwIfAborted();
}
