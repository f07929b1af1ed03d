import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export interface ArchivedFile {
  name: string;
  content: Buffer;
  /** As it is, not compressed. */
  stored: boolean;
}

/** What is in a ZIP archive, by a reader that others wrote. Throws when a file is not what its sum says. */
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
