import { once } from 'node:events';
import { type handleServerStreamingCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import type { Logger } from '../process/logger.ts';
import { toGrpcStatus } from './errors.ts';
import { serveCall } from './servedCall.ts';
import type { ProcessName } from './serviceCredential.ts';

/**
 * An RPC that answers with a stream, as a plain function: a request in, messages out, AppErrors thrown. `gone` is
 * aborted when the caller has gone away or waits no longer: what the messages are read from must be closed then.
 */
export type StreamRpc<Request, Response> = (request: Request, gone: AbortSignal) => AsyncIterable<Response>;

interface Options {
  /** As traces and metrics have it: `package.Service/Method`. */
  name: string;
  rpc: StreamRpc<unknown, unknown>;
  /** The caller that a credential names; undefined for a stranger. */
  callerOf(credential: string): ProcessName | undefined;
  log: Logger;
}

/**
 * Serves a streaming RPC to holders of a service credential. Messages are made no faster than they are read: a caller
 * who pauses stops the work, one who leaves ends it.
 */
export function streamHandler({
  name,
  rpc,
  callerOf,
  log,
}: Options): handleServerStreamingCall<unknown, unknown> {
  return (call) => {
    const startedAt = Date.now();
    const gone = new AbortController();
    call.once('cancelled', () => gone.abort());
    return serveCall(call, {
      // As long as its caller waits: how long that is depends on what is read.
      ...{ name, longestMs: Number.POSITIVE_INFINITY, callerOf, log },
      refuse: (answer) => call.emit('error', answer),
      async serve(caller) {
        try {
          await send(rpc(call.request, gone.signal), call, gone.signal);
          call.end();
          log.debug({ method: name, caller, ms: Date.now() - startedAt }, 'gRPC call');
          return status.OK;
        } catch (thrown) {
          if (gone.signal.aborted) {
            log.debug({ method: name, caller }, 'the caller of a stream has gone');
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

// grpc-js takes a few messages ahead; beyond those a write waits for the caller to read.
async function send(
  messages: AsyncIterable<unknown>,
  call: ServerWritableStream<unknown, unknown>,
  gone: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    gone.throwIfAborted();
    // A write to a call that was cancelled meanwhile would never be taken: the signal ends the wait.
    if (!call.write(message)) await once(call, 'drain', { signal: gone });
  }
  gone.throwIfAborted();
}
