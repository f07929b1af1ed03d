import { fileURLToPath } from 'node:url';
import { ConfinedProcess, type ProcessLimits } from './confinedProcess.ts';
import type { PageSize, PdfOpening } from './pdfEngine.ts';
import type { PdfAnswer, PdfTask } from './pdfWorker.ts';

const script = fileURLToPath(new URL('./pdfWorker.js', import.meta.url));

/** The result for one file. It has sizes only if measuring was requested. */
export interface PdfResult {
  opening: PdfOpening | 'timeout';
  sizes: PageSize[];
}

/** A confined process that opens PDFs, one at a time. */
export class PdfProcess {
  readonly #process: ConfinedProcess<PdfAnswer>;

  /** Throws when the system is out of processes, memory or file handles. */
  constructor(limits: ProcessLimits) {
    this.#process = new ConfinedProcess(limits, { script });
  }

  /** Whether another file can be checked. */
  get usable(): boolean {
    return this.#process.usable;
  }

  /** Throws when the process dies or cannot read the file, which says nothing about the file. */
  async check(task: PdfTask): Promise<PdfResult> {
    const answer = await this.#process.ask(task);
    if (answer === 'timeout' || answer === 'out_of_memory') return { opening: answer, sizes: [] };
    if ('failed' in answer) throw new Error(answer.failed);
    if (answer.worn || this.#process.isWorn) this.close();
    return answer;
  }

  close(): void {
    this.#process.close();
  }
}
