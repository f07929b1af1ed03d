import { randomUUID } from 'node:crypto';
import { type Metadata, status } from '@grpc/grpc-js';
import type { Logger } from '../process/logger.ts';
import { requestContext } from '../process/requestContext.ts';
import { traceServerCall } from '../tracing/rpcSpans.ts';
import { measureServerCall } from './callMetrics.ts';
import type { ProcessName } from './serviceCredential.ts';

/** The options that unary and streaming calls share. */
interface Call {
  metadata: Metadata;
  getDeadline(): Date | number;
}

interface Options {
  /** Name in logs, spans and metrics: `package.Service/Method`. */
  name: string;
  /** Upper limit of the caller's deadline, in milliseconds from now. */
  maxMs: number;
  /** Verifies a credential and returns its caller; undefined if it is invalid. */
  verifyCredential(credential: string): ProcessName | undefined;
  /** The processes that may call the method. */
  callers: readonly ProcessName[];
  log: Logger;
  /** Sends the response to a call that is not permitted. */
  refuse(answer: { code: status; details: string }): void;
  /** Sends the response and returns its status. */
  serve(caller: ProcessName): Promise<status>;
}

/**
 * Authenticates and authorizes a call, and runs `serve` with metrics, a span in the caller's trace and a request
 * context.
 */
export async function serveCall(
  call: Call,
  { name, maxMs, verifyCredential, callers, log, refuse, serve }: Options,
): Promise<void> {
  const ended = measureServerCall(name);
  const caller = verifyCredential(textOf(call.metadata, 'authorization')?.replace(/^Bearer /, '') ?? '');
  if (!caller) {
    log.warn({ method: name }, 'gRPC call rejected: no valid credential');
    ended(status.UNAUTHENTICATED);
    refuse({ code: status.UNAUTHENTICATED, details: 'UnauthorizedRequest' });
    return;
  }
  if (!callers.includes(caller)) {
    log.warn({ method: name, caller }, 'gRPC call rejected: the caller is not permitted');
    ended(status.PERMISSION_DENIED);
    refuse({ code: status.PERMISSION_DENIED, details: 'Unauthorized Access' });
    return;
  }
  const context = {
    requestId: textOf(call.metadata, 'x-request-id') ?? randomUUID(),
    deadline: Math.min(Number(call.getDeadline()), Date.now() + maxMs),
  };
  const measured = async () => {
    const code = await serve(caller);
    ended(code);
    return code;
  };
  await requestContext.run(context, () => traceServerCall(name, call.metadata, measured));
}

const textOf = (metadata: Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString();
