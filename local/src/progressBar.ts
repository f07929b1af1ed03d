import { SingleBar } from 'cli-progress';

/** A progress bar for one phase of a long task. Without a terminal, prints a single line. */
export class ProgressBar implements Disposable {
  #bar: SingleBar | undefined;

  constructor(title: string, unit: string) {
    if (!process.stderr.isTTY) {
      process.stderr.write(`${title}…\n`);
      return;
    }
    const format = `${title.padEnd(10)} {bar} {percentage}%  {value} of {total} ${unit}`;
    this.#bar = new SingleBar({ format, hideCursor: true, stream: process.stderr });
    this.#bar.start(1, 0);
  }

  show(value: number, total: number): void {
    this.#bar?.setTotal(total);
    this.#bar?.update(Math.min(value, total));
  }

  [Symbol.dispose](): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}
