import type { Progress } from '../http/transport.ts';

const intervalMs = 100;

/** Shows the progress of a transfer on a terminal, in one line that disappears when it ends. */
export class ProgressLine implements Disposable {
  readonly #title: string;
  #shownAt = 0;

  constructor(title: string) {
    this.#title = title;
  }

  readonly show = ({ loaded, total }: Progress): void => {
    if (!process.stderr.isTTY || Date.now() - this.#shownAt < intervalMs) return;
    this.#shownAt = Date.now();
    const part = total ? `${Math.floor((100 * loaded) / total)} %  ` : '';
    process.stderr.write(`\r\x1b[K${this.#title}  ${part}${(loaded / 1e6).toFixed(1)} MB`);
  };

  [Symbol.dispose](): void {
    if (this.#shownAt > 0) process.stderr.write('\r\x1b[K');
  }
}
