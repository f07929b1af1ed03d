import { destinationOf, isoTime, type Logger } from './logger.ts';

/** `debug` for requests that are too many or too uninteresting to be logged by default. */
type Level = 'info' | 'debug';

/** The fields of a request's log line. No value but `path` contains characters that JSON escapes. */
export interface RequestLine {
  method: string;
  /** Without the query, which may contain signatures. */
  path: string;
  status: number;
  /** Duration in milliseconds. */
  ms: number;
  request_id: string;
  user_id: number | undefined;
  trace_id: string | undefined;
  span_id: string | undefined;
  /** True when the client did not receive the whole response. */
  aborted: boolean;
}

/**
 * Returns a function that logs a request of the gateway, as `log.info({ … }, 'request')` would. The line is built here, because
 * there is one for each request: for every field pino looks up a serializer and searches for characters to escape (decision 39).
 */
export function requestLogger(log: Logger): (level: Level, line: RequestLine) => void {
  const destination = destinationOf(log);
  if (!destination)
    return (level, line) => log[level]({ ...line, aborted: line.aborted || undefined }, 'request');
  const beginnings = {
    info: log.isLevelEnabled('info') && beginningOf('info', destination.service),
    debug: log.isLevelEnabled('debug') && beginningOf('debug', destination.service),
  };
  return (level, line) => {
    const beginning = beginnings[level];
    if (beginning) destination.write(format(beginning(), line));
  };
}

// Under load most lines are in the same millisecond as the one before.
function beginningOf(level: Level, service: string): () => string {
  let millisecond = 0;
  let beginning = '';
  return () => {
    const now = Date.now();
    if (now !== millisecond) {
      millisecond = now;
      beginning = `{"level":"${level}"${isoTime(now)},"service":"${service}"`;
    }
    return beginning;
  };
}

function format(beginning: string, line: RequestLine): string {
  const { method, path, status, ms, request_id, user_id, trace_id, span_id, aborted } = line;
  const user = user_id === undefined ? '' : `,"user_id":${user_id}`;
  const trace = trace_id === undefined ? '' : `,"trace_id":"${trace_id}","span_id":"${span_id}"`;
  const end = aborted ? ',"aborted":true' : '';
  return `${beginning},"method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"request_id":"${request_id}"${user}${trace}${end},"msg":"request"}\n`;
}
