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
 * of an uncaught error, writes the remaining lines; one that is killed loses the lines of its last 50 ms.
 */
export function batchLines(write: (lines: string) => void): LogDestination {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;

  function flushSync(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered;
    gathered = '';
    if (lines !== '') write(lines);
  }

  process.on('exit', flushSync);
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= batchBytes) flushSync();
      else timer ??= setTimeout(flushSync, longestDelayMs).unref();
    },
    flushSync,
  };
}
