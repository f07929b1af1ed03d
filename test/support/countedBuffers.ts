import { vi } from 'vitest';

/** The class BufferCollector: from `shared/src` in tests of `shared`, otherwise from the package. */
interface Collector {
  prototype: { count(bytes: number): void };
}

/**
 * The number of buffer bytes that this process counts during `work`. It collects garbage after every 4 MiB of them.
 * Collections themselves vary: while V8 marks its heap, it turns a requested young-generation collection into a full
 * one.
 */
export async function countedBuffers({ prototype }: Collector, work: () => unknown): Promise<number> {
  const count = vi.spyOn(prototype, 'count');
  try {
    await work();
    return count.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
  } finally {
    count.mockRestore();
  }
}
