import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export interface ArchivedFile {
  name: string;
  content: Buffer;
  /** Whether it is stored without compression. */
  stored: boolean;
}

/**
 * Reads the files of a ZIP archive.
 * @throws Error for a wrong checksum
 */
export async function readArchive(archive: Buffer): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} is damaged`);
    files.push({ name: entry.fileName, content, stored: entry.compressionMethod === 0 });
  }
  return files;
}

/** The number of files in a ZIP archive, from its central directory. */
export const countArchived = async (archive: Buffer): Promise<number> =>
  (await fromBufferPromise(archive)).entryCount;
