import { unavailable } from '../errors/appError.ts';
import { hasCpuClock } from '../process/cpuClock.ts';
import type { Logger } from '../process/logger.ts';
import { Semaphore } from '../process/semaphore.ts';
import { errorTypeOf, failSpan, inChildSpan } from '../tracing/span.ts';
import type { ProcessLimits } from './confinedProcess.ts';
import { measurePdfCheck } from './pdfCheckMetrics.ts';
import type { PageSize } from './pdfEngine.ts';
import { PdfPool } from './pdfPool.ts';
import type { PdfResult } from './pdfProcess.ts';
import type { PdfTask } from './pdfWorker.ts';

/** Result of a check. */
export type PdfVerdict = 'valid' | 'invalid' | 'encrypted';

export interface PdfChecker {
  /**
   * Checks that a file is a PDF that PDFium opens within the limits (D47), with at least one page (D28). Waiting checks
   * are started round-robin by user (D46).
   * @throws AppError `unavailable` when the check fails for a reason other than the file (D45)
   */
  check(path: string, userId: number): Promise<PdfVerdict>;
  /**
   * Measures up to 10,000 pages of a PDF under the same conditions. Returns an empty array for an invalid file.
   * @throws AppError `unavailable`, like `check`
   */
  measure(path: string, userId: number): Promise<PageSize[]>;
  close(): Promise<void>;
}

interface Options extends ProcessLimits {
  log: Logger;
  /** Limits the concurrent checks: {@link createPdfSlots}. */
  slots: Semaphore;
}

/** Creates one slot per process. A user gets at most all but one, so that no user occupies all of them. */
export const createPdfSlots = (processes: number): Semaphore =>
  new Semaphore({ slots: processes, perUser: Math.max(1, processes - 1) });

/** Checks PDFs in child processes with limits, so that no file can exhaust or crash the service. */
export function createPdfChecker({ log, slots, ...limits }: Options): PdfChecker {
  if (!hasCpuClock)
    log.warn(
      { platform: process.platform },
      'CPU time of processes is not readable; every PDF gets a new process',
    );
  const pool = new PdfPool(limits);

  async function resultOf(task: PdfTask): Promise<PdfResult> {
    try {
      return await pool.check(task);
    } catch (error) {
      // The process was killed, or the system could not start it.
      log.warn({ err: error }, 'PDF check failed; retrying in a new process');
      return await pool.checkInNewProcess(task);
    }
  }

  const run = (task: PdfTask, userId: number) =>
    inChildSpan('check PDF', {}, async (span) => {
      const measured = measurePdfCheck();
      try {
        const { opening: outcome, sizes } = await slots.run(userId, () => {
          measured.started();
          return resultOf(task);
        });
        measured.ended(outcome);
        if (outcome === 'timeout' || outcome === 'out_of_memory') {
          log.warn({ outcome, userId, ...limits }, 'PDF rejected: it exceeds the limits of a check');
          if (span) failSpan(span, outcome);
        }
        const verdict: PdfVerdict = outcome === 'valid' || outcome === 'encrypted' ? outcome : 'invalid';
        span?.setAttribute('gradeway.pdf.verdict', verdict);
        return { verdict, sizes };
      } catch (error) {
        measured.ended('failed');
        log.error({ err: error }, 'PDF check failed');
        if (span) failSpan(span, errorTypeOf(error));
        throw unavailable(error);
      }
    });

  return {
    check: async (path, userId) => (await run({ path, measures: false }, userId)).verdict,
    measure: async (path, userId) => (await run({ path, measures: true }, userId)).sizes,
    close: async () => pool.close(),
  };
}
