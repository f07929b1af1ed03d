import { trace } from '@opentelemetry/api';
import { destination, type Logger as PinoLogger, pino } from 'pino';
import { batchLines } from './logDestination.ts';
import { requestContext } from './requestContext.ts';

export type Logger = PinoLogger;

// Imported only when used: services in containers never write to a terminal.
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : undefined;

interface Destination {
  service: string;
  write(line: string): void;
}

const destinations = new WeakMap<Logger, Destination>();

/**
 * Creates a logger that writes one JSON object per line, or readable text to a terminal. Lines logged while a request is
 * served carry its id and, with tracing, its trace and span ids. Lines are written in batches (logDestination.ts).
 *
 * Of an error it writes type, message, code, the position in this code base and the same for its causes; no stack
 * traces, no SQL ({@link describeError}).
 */
export function createLogger(service: string, level: string): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => isoTime(),
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    mixin: correlationIds,
    mixinMergeStrategy: addIds,
  };
  if (pretty) return pino(options, pretty({ ignore: 'pid,hostname', sync: true }));
  const stdout = destination({ fd: 1, sync: true, contentMode: 'buffer' });
  // Its type has the parameter of the other mode.
  const batches = batchLines((lines) => stdout.write(lines as unknown as string));
  const log = pino(options, batches);
  destinations.set(log, { service, write: batches.write });
  return log;
}

/** Where a logger writes its lines; undefined for readable text. */
export const destinationOf = (log: Logger): Destination | undefined => destinations.get(log);

let second = 0;
let untilSecond = '';

/** The field `time` of a line. */
// Formatting a date costs as much as the rest of a line, and most lines are in the same second as the one before.
export function isoTime(now = Date.now()): string {
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    untilSecond = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  return `,"time":"${untilSecond}${String(milliseconds).padStart(3, '0')}Z"`;
}

interface CorrelationIds {
  request_id?: string | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
}

// For the line of a request, which has its ids already.
const noIds: CorrelationIds = {};

function correlationIds(line: object): CorrelationIds {
  if ('request_id' in line && 'trace_id' in line) return noIds;
  const request = requestContext.getStore();
  const span = trace.getActiveSpan()?.spanContext() ?? request?.trace;
  return { request_id: request?.requestId, trace_id: span?.traceId, span_id: span?.spanId };
}

const addIds = (line: object, ids: object): object => (ids === noIds ? line : Object.assign(ids, line));

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
