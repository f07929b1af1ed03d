// There is a line for each request: written individually, they would take a quarter of a gateway's CPU time.
const batchBytes = 16 * 1024;
const longestDelayMs = 50;

/** Where a logger writes its lines. pino flushes it after a line of level `fatal`. */
export interface LogDestination {
  write(line: string): void;
  flushSync(): void;
}

/**
 * Writes lines in batches: as soon as 16 KB have been collected, at the latest after 50 ms. A process that exits, even because
 * of an uncaught error, writes the remaining lines; one that is killed loses the lines of its last 50 ms. `write` must have used
 * the bytes when it returns.
 */
export function batchLines(write: (lines: Buffer) => void): LogDestination {
  // A line is encoded at once: its parts are in the processor's caches, where those of a whole batch no longer are (decision 39).
  const gathered = Buffer.allocUnsafeSlow(2 * batchBytes);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;

  function flushSync(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered.subarray(0, length);
    length = 0;
    if (lines.length > 0) write(lines);
  }

  process.on('exit', flushSync);
  return {
    write(line) {
      // UTF-8 has at most three bytes for a UTF-16 code unit.
      const mostBytes = 3 * line.length;
      if (mostBytes > gathered.length - length) flushSync();
      if (mostBytes > gathered.length) return write(Buffer.from(line));
      length += gathered.write(line, length);
      if (length >= batchBytes) flushSync();
      else timer ??= setTimeout(flushSync, longestDelayMs).unref();
    },
    flushSync,
  };
}
