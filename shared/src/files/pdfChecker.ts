import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import { measurePdfCheck } from '../metrics/pdfChecks.ts';
import type { Logger } from '../process/logger.ts';
import { errorTypeOf, failSpan, inChildSpan } from '../tracing/span.ts';

/** Result of a check. */
export type PdfVerdict = 'valid' | 'invalid' | 'encrypted';

export interface PdfChecker {
  /** Checks that a file is a PDF that pdf.js opens, with at least one page (D28). Never throws for a bad file. */
  check(path: string): Promise<PdfVerdict>;
  close(): Promise<void>;
}

interface Options {
  log: Logger;
  /** Maximum duration of a check, in milliseconds. A file that takes longer is `invalid`. */
  timeoutMs: number;
  /** Number of concurrent checks. */
  threads?: number;
}

const heapMb = 192;
const defaultThreads = Math.max(1, availableParallelism() - 1);

/**
 * Checks PDFs in worker threads with a memory limit: a file that takes much CPU time does not block the event loop, and
 * one that exhausts the memory ends only its worker. The timeout does not include the wait for a worker.
 */
export function createPdfChecker({ log, timeoutMs, threads = defaultThreads }: Options): PdfChecker {
  const limit = pLimit(threads);
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
        const measured = measurePdfCheck();
        try {
          const verdict = await limit(() => {
            measured.started();
            return pool.run({ path }, { signal: AbortSignal.timeout(timeoutMs) });
          });
          measured.ended(verdict);
          span?.setAttribute('gradeway.pdf.verdict', verdict);
          return verdict;
        } catch (error) {
          measured.ended(failureOutcome(error));
          log.warn({ err: error }, 'PDF check aborted');
          if (span) failSpan(span, errorTypeOf(error));
          return 'invalid';
        }
      }),
    close: () => pool.destroy(),
  };
}

function failureOutcome(error: unknown): 'timeout' | 'out_of_memory' | 'failed' {
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'AbortError') return 'timeout';
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'failed';
}
