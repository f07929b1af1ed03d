import type { ProcessLimits } from './confinedProcess.ts';
import { PdfProcess, type PdfResult } from './pdfProcess.ts';
import type { PdfTask } from './pdfWorker.ts';

const idleMs = 30_000;

/** Reuses processes for checks, and ends all idle ones 30 s after the last check. */
export class PdfPool {
  readonly #limits: ProcessLimits;
  readonly #all = new Set<PdfProcess>();
  #idle: PdfProcess[] = [];
  #closed = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(limits: ProcessLimits) {
    this.#limits = limits;
  }

  check(task: PdfTask): Promise<PdfResult> {
    this.#idle = this.#idle.filter(({ usable }) => usable);
    return this.#checkIn(this.#idle.pop(), task);
  }

  checkInNewProcess(task: PdfTask): Promise<PdfResult> {
    return this.#checkIn(undefined, task);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#quiet);
    for (const process of this.#all) process.close();
  }

  async #checkIn(idle: PdfProcess | undefined, task: PdfTask): Promise<PdfResult> {
    if (this.#closed) throw new Error('the PDF checker is closed');
    const process = idle ?? new PdfProcess(this.#limits);
    this.#all.add(process);
    try {
      const result = await process.check(task);
      if (process.usable) this.#idle.push(process);
      return result;
    } catch (error) {
      process.close();
      throw error;
    } finally {
      if (!process.usable) this.#all.delete(process);
      this.#endIdleLater();
    }
  }

  #endIdleLater(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      for (const process of this.#idle.splice(0)) {
        process.close();
        this.#all.delete(process);
      }
    }, idleMs).unref();
  }
}
