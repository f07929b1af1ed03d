import { scrape } from './metrics.ts';

interface Heap {
  /** Bytes of the objects that were allocated since the last collection of the young generation. */
  young: number;
  collections: number;
}

async function heapOf(adminUrl: string): Promise<Heap> {
  const metrics = await scrape(adminUrl);
  const young = metrics.value('nodejs_heap_space_size_used_bytes', { space: 'new' });
  if (young === undefined) throw new Error('the process does not report its young generation');
  return { young, collections: metrics.value('nodejs_gc_duration_seconds_count') ?? 0 };
}

const windows = 5;
const mostAttempts = 100;

/**
 * The bytes that a process allocates on V8's heap for each call of `send`: the median of several times `calls` of them. Times in
 * which it collected garbage are left out, and what reading its metrics allocates is subtracted. Buffers are not on this heap.
 */
export async function allocatedFor(
  adminUrl: string,
  { calls, send }: { calls: number; send: () => Promise<void> },
): Promise<number> {
  const without = await allocatedDuring(adminUrl, async () => {});
  const during = await allocatedDuring(adminUrl, async () => {
    for (let call = 0; call < calls; call += 1) await send();
  });
  return (during - without) / calls;
}

async function allocatedDuring(adminUrl: string, work: () => Promise<void>): Promise<number> {
  const sizes: number[] = [];
  for (let attempt = 0; sizes.length < windows; attempt += 1) {
    if (attempt === mostAttempts) throw new Error('the process collects garbage all the time');
    const before = await heapOf(adminUrl);
    await work();
    const after = await heapOf(adminUrl);
    if (after.collections === before.collections) sizes.push(after.young - before.young);
  }
  return sizes.toSorted((a, b) => a - b)[Math.floor(windows / 2)] as number;
}
