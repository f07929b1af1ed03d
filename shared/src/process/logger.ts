import { trace } from '@opentelemetry/api';
import { destination, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { requestContext } from './requestContext.ts';

export type Logger = PinoLogger;

// Every request is logged. One write per line would make the log cost a quarter of a gateway's CPU time.
const batchBytes = 4096;
const maxDelayMs = 50;

// Imported only when used: services in containers never write to a terminal.
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : undefined;

/**
 * Creates a logger that writes one JSON object per line, or readable text to a terminal. Lines logged during a request
 * carry its id and, with tracing, its trace and span ids. Errors are logged without stack traces and SQL ({@link
 * describeError}).
 *
 * Lines are written in batches, at most 50 ms late. A process that exits, even because of an uncaught error, writes the
 * remaining lines. A process that is killed loses the lines of its last 50 ms.
 */
export function createLogger(service: string, level: string): Logger {
  const options = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    mixin: correlationIds,
  };
  if (pretty) return pino(options, pretty({ ignore: 'pid,hostname', sync: true }));
  stdout ??= openStdout();
  return pino(options, stdout);
}

// Shared by all loggers of the process, so that their lines keep their order.
let stdout: ReturnType<typeof openStdout> | undefined;

function openStdout() {
  const opened = destination({ fd: 1, sync: true, minLength: batchBytes, periodicFlush: maxDelayMs });
  process.on('exit', () => opened.flushSync());
  return opened;
}

interface CorrelationIds {
  request_id?: string | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
}

function correlationIds(): CorrelationIds {
  const request = requestContext.getStore();
  const span = trace.getActiveSpan()?.spanContext() ?? request?.trace;
  return { request_id: request?.requestId, trace_id: span?.traceId, span_id: span?.spanId };
}

interface ErrorDescription {
  type: string;
  message: string;
  code?: string | number | undefined;
  at?: string | undefined;
  cause?: ErrorDescription;
}

/** Describes an error for the log. Drops the stack and the fields of database drivers, which contain SQL and values. */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, 200) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message.slice(0, 500),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    at: firstApplicationFrame(error.stack),
    ...(error.cause !== undefined && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

function firstApplicationFrame(stack = ''): string | undefined {
  const frame = stack
    .split('\n')
    .find((line) => /^\s+at /.test(line) && !/node_modules|node:|appError/i.test(line));
  return frame?.trim().replace(/file:\/\/.*\/(?=(gateway|services|shared|local)\/)/, '');
}
