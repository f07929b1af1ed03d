import { statfs } from 'node:fs/promises';
import { gauge } from './registry.ts';
import { collectAtScrape } from './scrapeCollectors.ts';

const free = gauge('gradeway_disk_free_bytes', 'Free space where files are kept and where uploads arrive', [
  'directory',
]);
const size = gauge('gradeway_disk_size_bytes', 'Size of the file systems of `gradeway_disk_free_bytes`', [
  'directory',
]);

/** Measures the file system of a directory. `name` stands for it; its path is not told. Returns how to stop. */
export function measureDisk(name: 'files' | 'arriving', path: string): () => void {
  const labels = { directory: name };
  return collectAtScrape({
    async collect() {
      const { bavail, blocks, bsize } = await statfs(path);
      free.set(labels, bavail * bsize);
      size.set(labels, blocks * bsize);
    },
    clear() {
      free.remove(labels);
      size.remove(labels);
    },
  });
}
