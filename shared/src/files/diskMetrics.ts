import { statfs } from 'node:fs/promises';
import { gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';

const free = gauge(
  'gradeway_disk_free_bytes',
  'Free space on the file systems of the file store and of the upload directory',
  ['directory'],
);
const size = gauge(
  'gradeway_disk_size_bytes',
  'Size of the file systems of the file store and of the upload directory',
  ['directory'],
);

/**
 * Measures the file system of a directory on each scrape. Returns a function that stops it.
 * @param name label value; the path itself is not exported
 */
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
