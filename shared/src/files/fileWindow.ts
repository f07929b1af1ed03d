import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const windowBytes = 256 * 1024;

/** Reads one file at a time in blocks of 256 KiB, because PDFium requests 512 bytes at a time. */
export class FileWindow {
  /** The error of a failed read in the current file. */
  failure: unknown;
  readonly #window = new Uint8Array(windowBytes);
  #fd = -1;
  #isBorrowed = false;
  #size = 0;
  #from = 0;
  #filled = 0;

  /** Opens the next file. Throws when it cannot be opened. */
  open(path: string): void {
    const fd = openSync(path, 'r');
    this.#start(fd, fstatSync(fd).size, false);
  }

  /** Reads the first `size` bytes of an open file, which stays open. */
  use(fd: number, size: number): void {
    this.#start(fd, size, true);
  }

  #start(fd: number, size: number, isBorrowed: boolean): void {
    this.#fd = fd;
    this.#size = size;
    this.#isBorrowed = isBorrowed;
    this.#from = 0;
    this.#filled = 0;
    this.failure = undefined;
  }

  close(): void {
    if (!this.#isBorrowed) closeSync(this.#fd);
  }

  get size(): number {
    return this.#size;
  }

  /** Fills `target`. Returns false if the file is too short or cannot be read. */
  read(position: number, target: Uint8Array): boolean {
    for (let done = 0; done < target.length; ) {
      const offset = position + done - this.#from;
      if (offset < 0 || offset >= this.#filled) {
        if (!this.#load(position + done)) return false;
        continue;
      }
      const length = Math.min(target.length - done, this.#filled - offset);
      target.set(this.#window.subarray(offset, offset + length), done);
      done += length;
    }
    return true;
  }

  #load(position: number): boolean {
    // Aligned, so that reading backwards does not reload a block for each request.
    this.#from = position - (position % windowBytes);
    try {
      this.#filled = readSync(this.#fd, this.#window, 0, windowBytes, this.#from);
    } catch (error) {
      this.#filled = 0;
      this.failure = error;
    }
    return this.#from + this.#filled > position;
  }
}
