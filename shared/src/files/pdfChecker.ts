import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import { startPdfCheck } from '../metrics/pdfChecks.ts';
import type { Logger } from '../process/logger.ts';
import { failSpan, inChildSpan, kindOfError } from '../tracing/span.ts';

/** What a file turned out to be. */
export type PdfVerdict = 'valid' | 'invalid' | 'encrypted';

export interface PdfChecker {
  /** Whether a file is a PDF that a parser opens, with at least one page (D28). Never throws for a bad file. */
  check(path: string): Promise<PdfVerdict>;
  close(): Promise<void>;
}

interface Options {
  log: Logger;
  /** A file that takes longer is refused, in milliseconds. */
  timeoutMs: number;
  /** Files checked at once. */
  threads?: number;
}

const heapMb = 192;
const defaultThreads = Math.max(1, availableParallelism() - 1);

/**
 * Checks PDFs in worker threads, so that a file that is slow to read blocks nobody, and one that eats memory ends
 * only its worker. Files that wait for a worker do not use up their time.
 */
export function createPdfChecker({ log, timeoutMs, threads = defaultThreads }: Options): PdfChecker {
  const inTurn = pLimit(threads);
  const pool = new Piscina<{ path: string }, PdfVerdict>({
    filename: fileURLToPath(new URL('./pdfWorker.js', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });

  return {
    check: (path) =>
      inChildSpan('check PDF', {}, async (span) => {
        const measured = startPdfCheck();
        try {
          const verdict = await inTurn(() => {
            measured.started();
            return pool.run({ path }, { signal: AbortSignal.timeout(timeoutMs) });
          });
          measured.ended(verdict);
          span?.setAttribute('gradeway.pdf.verdict', verdict);
          return verdict;
        } catch (error) {
          measured.ended(howItEnded(error));
          log.warn({ err: error }, 'a PDF took too much time or memory to check');
          if (span) failSpan(span, kindOfError(error));
          return 'invalid';
        }
      }),
    close: () => pool.destroy(),
  };
}

function howItEnded(error: unknown): 'timeout' | 'out_of_memory' | 'failed' {
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'AbortError') return 'timeout';
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'failed';
}
