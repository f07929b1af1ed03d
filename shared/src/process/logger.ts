import { trace } from '@opentelemetry/api';
import { type Logger as PinoLogger, pino } from 'pino';
import pretty from 'pino-pretty';
import { requestContext } from './requestContext.ts';

export type Logger = PinoLogger;

/**
 * A logger that writes one JSON object a line, and readable lines when a person looks (a terminal). Every line
 * of a request carries its id and, while tracing is on, those of its trace. Errors are written without stack and SQL: their kind, their sentence, the place
 * in our code, and the same of their cause.
 */
export function createLogger(service: string, level: string): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    mixin: whereWeAre,
  };
  return process.stdout.isTTY ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options);
}

function whereWeAre(): object {
  const request = requestContext.getStore();
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(request ? { request_id: request.requestId } : {}),
    ...(span ? { trace_id: span.traceId, span_id: span.spanId } : {}),
  };
}

interface ErrorDescription {
  type: string;
  message: string;
  code?: string | number | undefined;
  at?: string | undefined;
  cause?: ErrorDescription;
}

/** What a log may know of an error. Not the stack and none of the driver's fields: they hold SQL and values. */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, 200) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message.slice(0, 500),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    at: ourFrame(error.stack),
    ...(error.cause !== undefined && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

function ourFrame(stack = ''): string | undefined {
  const frame = stack
    .split('\n')
    .find((line) => /^\s+at /.test(line) && !/node_modules|node:|appError/.test(line));
  return frame?.trim().replace(/file:\/\/.*\/(?=(gateway|services|shared|local)\/)/, '');
}
