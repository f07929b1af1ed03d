import type { FileHandle } from 'node:fs/promises';

const chunkBytes = 512 * 1024;

/** Chunks up to this size are copies, so that a writer may buffer them. */
export const copiedBytes = 64 * 1024;

/** A double buffer for reading one file at a time: while one half is in use, the next bytes are read into the other. */
export class ReadBuffers {
  readonly #halves = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
  #reads = 0;

  /** Returns the half that is not in use. */
  next(): Buffer {
    this.#reads += 1;
    return this.#halves[this.#reads % 2 === 0 ? 0 : 1];
  }
}

/**
 * Reads a file from start to end. A chunk larger than `copiedBytes` is valid only until the next chunk is requested.
 * The file is closed when the loop that reads it ends. Aborting `signal` ends the loop with an error, or closes the
 * file if the loop has not started.
 */
export function readAhead(
  file: FileHandle,
  buffers: ReadBuffers,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  let isClosing = false;
  const close = async () => {
    if (isClosing) return;
    isClosing = true;
    await file.close();
  };
  const closeUnread = () => void close().catch(() => {});
  signal.addEventListener('abort', closeUnread, { once: true });
  return {
    [Symbol.asyncIterator]() {
      signal.removeEventListener('abort', closeUnread);
      return readChunks(file, { buffers, signal, close });
    },
  };
}

interface Reading {
  buffers: ReadBuffers;
  signal: AbortSignal;
  close(): Promise<void>;
}

// Not a method of the object above: V8 would retain everything such a generator function refers to, including 1 MiB of
// buffers, until the next full collection (decision 25).
async function* readChunks(
  file: FileHandle,
  { buffers, signal, close }: Reading,
): AsyncGenerator<Buffer, void, void> {
  let position = 0;
  let pending: ReturnType<typeof read> | undefined;
  const read = () => file.read(buffers.next(), 0, chunkBytes, position);
  try {
    signal.throwIfAborted();
    pending = read();
    for (;;) {
      const { bytesRead, buffer } = await pending;
      signal.throwIfAborted();
      if (bytesRead === 0) return;
      position += bytesRead;
      pending = read();
      // An error of this read is thrown when the next chunk is requested.
      pending.catch(() => {});
      const bytes = buffer.subarray(0, bytesRead);
      yield bytesRead > copiedBytes ? bytes : Buffer.from(bytes);
    }
  } finally {
    // The half must not be reused while it is being filled.
    await pending?.catch(() => {});
    await close();
  }
}
