import { randomUUID } from 'node:crypto';
import { type Metadata, status } from '@grpc/grpc-js';
import { startServedCall } from '../metrics/grpcCalls.ts';
import type { Logger } from '../process/logger.ts';
import { requestContext } from '../process/requestContext.ts';
import { traceServed } from '../tracing/rpcSpans.ts';
import type { ProcessName } from './serviceCredential.ts';

/** What is used here of a call, whether one message answers it or a stream. */
interface Call {
  metadata: Metadata;
  getDeadline(): Date | number;
}

interface Options {
  /** As logs, traces and metrics have it: `package.Service/Method`. */
  name: string;
  /** The longest that it may take, whatever its caller says, in milliseconds. */
  longestMs: number;
  /** The caller that a credential names; undefined for a stranger. */
  callerOf(credential: string): ProcessName | undefined;
  log: Logger;
  /** Answers who has no credential of ours. */
  refuse(answer: { code: status; details: string }): void;
  /** Answers the call itself, and returns the status that it answered. */
  serve(caller: ProcessName): Promise<status>;
}

/** Serves a call to holders of a service credential, measured, in its caller's trace and within its deadline. */
export async function serveCall(
  call: Call,
  { name, longestMs, callerOf, log, refuse, serve }: Options,
): Promise<void> {
  const ended = startServedCall(name);
  const caller = callerOf(textOf(call.metadata, 'authorization')?.replace(/^Bearer /, '') ?? '');
  if (!caller) {
    log.warn({ method: name }, 'gRPC call without our credential refused');
    ended(status.UNAUTHENTICATED);
    refuse({ code: status.UNAUTHENTICATED, details: 'UnauthorizedRequest' });
    return;
  }
  const context = {
    requestId: textOf(call.metadata, 'x-request-id') ?? randomUUID(),
    deadline: Math.min(Number(call.getDeadline()), Date.now() + longestMs),
  };
  const measured = async () => {
    const code = await serve(caller);
    ended(code);
    return code;
  };
  await requestContext.run(context, () => traceServed(name, call.metadata, measured));
}

const textOf = (metadata: Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString();
