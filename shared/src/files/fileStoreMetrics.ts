import { histogram } from '../metrics/registry.ts';
import { FileMissingError, type FileStore } from './fileStore.ts';

const operations = ['put', 'open', 'remove'] as const;

const duration = histogram(
  'gradeway_file_store_duration_seconds',
  'Duration of file store operations. `open` ends before the first byte or, for a small file in an export, with the last one',
  [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ['operation', 'outcome'],
);
for (const operation of operations)
  for (const outcome of ['done', 'failed']) duration.zero({ operation, outcome });
duration.zero({ operation: 'open', outcome: 'missing' });

/** Wraps a store so that its operations are measured. */
export function measureStore(store: FileStore): FileStore {
  return {
    put: (key, file) => measure('put', store.put(key, file)),
    open: (key, range) => measure('open', store.open(key, range)),
    read: (key, buffers, signal) => measure('open', store.read(key, buffers, signal)),
    readSized: (key, size, signal) => measure('open', store.readSized(key, size, signal)),
    remove: (key) => measure('remove', store.remove(key)),
    check: () => store.check(),
    close: () => store.close(),
  };
}

async function measure<T>(operation: (typeof operations)[number], work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const observe = (outcome: string) =>
    duration.observe({ operation, outcome }, (performance.now() - startedAt) / 1000);
  try {
    const result = await work;
    observe('done');
    return result;
  } catch (error) {
    observe(error instanceof FileMissingError ? 'missing' : 'failed');
    throw error;
  }
}
