/**
 * A `WebAssembly.Memory`. @types/node does not declare it, and the DOM library would declare browser globals in all of
 * shared/.
 */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const pageBytes = 64 * 1024;
const zeros = new Uint8Array(pageBytes);

/** The memory of a WebAssembly instance, which is limited and can be restored. It grows only through `grow`. */
export class LimitedMemory {
  /** Whether the last attempt to grow exceeded the limit. */
  refused = false;
  /** The error of an attempt to grow within the limit: the system is out of memory. */
  failure: unknown;
  readonly #memory: WasmMemory;
  /** The recorded content up to its last non-zero page, and the size of the memory at that time. */
  #recorded: { content: Uint8Array; bytes: number } | undefined;

  constructor(memory: WasmMemory, maxBytes: number) {
    this.#memory = memory;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      this.refused = memory.buffer.byteLength + pages * pageBytes > maxBytes;
      if (this.refused) throw new RangeError('the limit of a PDF check');
      try {
        return grow(pages);
      } catch (error) {
        this.failure = error;
        throw error;
      }
    };
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  at(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length);
  }

  /** Records the content, for {@link restore}. */
  record(): void {
    let end = this.bytes;
    while (end > 0 && isZero(this.at(end - pageBytes, pageBytes))) end -= pageBytes;
    this.#recorded = { content: this.at(0, end).slice(), bytes: this.bytes };
  }

  /**
   * Restores every byte of the recorded content. Returns false if the memory has grown, because it cannot shrink again.
   */
  restore(): boolean {
    if (this.#recorded?.bytes !== this.bytes) return false;
    const { content, bytes } = this.#recorded;
    this.at(0, content.length).set(content);
    // Reading a page that was never written costs no memory; writing zeros to it would.
    for (let start = content.length; start < bytes; start += pageBytes) {
      const page = this.at(start, pageBytes);
      if (!isZero(page)) page.fill(0);
    }
    return true;
  }
}

const isZero = (page: Uint8Array): boolean => Buffer.compare(page, zeros) === 0;
