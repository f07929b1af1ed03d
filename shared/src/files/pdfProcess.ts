import { fileURLToPath } from 'node:url';
import { ConfinedProcess, type ProcessLimits } from './confinedProcess.ts';
import type { PdfOpening } from './pdfEngine.ts';
import type { PdfAnswer } from './pdfWorker.ts';

const script = fileURLToPath(new URL('./pdfWorker.js', import.meta.url));

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
  async check(path: string): Promise<PdfOpening | 'timeout'> {
    const answer = await this.#process.ask({ path });
    if (answer === 'timeout') return answer;
    if ('failed' in answer) throw new Error(answer.failed);
    if (answer.worn || this.#process.isWorn) this.close();
    return answer.opening;
  }

  close(): void {
    this.#process.close();
  }
}
