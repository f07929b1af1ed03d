const everyMs = 5_000;

/**
 * Prints a line at most every five seconds, which shows progress during hours of copying, in a terminal and in a log.
 */
export class Progress {
  readonly #print: (line: string) => void;
  #printedAt = Date.now();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Prints a new step, always. */
  step(line: string): void {
    this.#printedAt = Date.now();
    this.#print(line);
  }

  /** @param line called only when it is printed */
  update(line: () => string): void {
    if (Date.now() - this.#printedAt >= everyMs) this.step(line());
  }
}
