import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import {
  centralRecord,
  dataDescriptor,
  type EntryFacts,
  endOfDirectory,
  localHeader,
  localHeaderBytes,
} from './zipRecords.ts';

type Content = AsyncIterable<Buffer> | Iterable<Buffer>;

/** What an archive contains: files with their content, in this order. */
export interface ZipEntry {
  /** Relative, with `/` between folders. */
  path: string;
  modifiedAt: Date;
  /** Called when the entries before it have been read. */
  content(): Content | Promise<AsyncIterable<Buffer>>;
  /** Compressed, or by default stored: PDFs hardly shrink. */
  isCompressed?: boolean;
  /** Size and CRC-32, where they are known before the content: then the archive can be read while it arrives. */
  known?: { size: number; crc32: number };
}

// Larger entries would need the records of ZIP64, which no file of this system does (MAX_UPLOAD_BYTES).
const largestEntry = 0xffff_fffe;

/**
 * Writes a ZIP archive as it is read: one entry is open at a time and nothing is read ahead, so memory grows only by about a
 * hundred bytes for each entry. The CRC-32 of every entry is computed natively, which costs little beside the transfer.
 * @throws Error when the content of an entry differs from its known size or CRC
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const facts = factsOf(entry, offset);
    const header = localHeader(facts);
    yield header;
    const sums = new ContentSums(entry.known);
    const content = summed(await entry.content(), sums);
    let compressedSize = 0;
    for await (const bytes of entry.isCompressed ? deflated(content) : content) {
      compressedSize += bytes.length;
      yield bytes;
    }
    Object.assign(facts, sums.total(), { compressedSize });
    const descriptor = facts.hasDescriptor ? dataDescriptor(facts) : undefined;
    if (descriptor) yield descriptor;
    offset += header.length + facts.compressedSize + (descriptor?.length ?? 0);
    directory.push(centralRecord(facts));
  }
  let bytes = 0;
  for (const record of directory) {
    bytes += record.length;
    yield record;
  }
  yield endOfDirectory({ entries: directory.length, bytes, offset });
}

/** The length of an archive of stored entries whose sizes are known. */
export function zipLength(entries: Required<Pick<ZipEntry, 'path' | 'modifiedAt' | 'known'>>[]): number {
  let [offset, bytes] = [0, 0];
  for (const entry of entries) {
    const facts = factsOf(entry, offset);
    offset += localHeaderBytes(facts.path) + facts.size;
    bytes += centralRecord(facts).length;
  }
  return offset + bytes + endOfDirectory({ entries: entries.length, bytes, offset }).length;
}

function factsOf(
  { path, modifiedAt, isCompressed = false, known }: Omit<ZipEntry, 'content'>,
  offset: number,
): EntryFacts {
  const { size = 0, crc32: sum = 0 } = known ?? {};
  if (size > largestEntry) throw new Error('an entry of an archive is too large');
  return {
    path: Buffer.from(path),
    modifiedAt,
    isCompressed,
    hasDescriptor: known === undefined,
    crc32: sum,
    size,
    compressedSize: size,
    offset,
  };
}

/** Sums up the content of an entry, and compares it with the known values. */
class ContentSums {
  readonly #known: ZipEntry['known'];
  #size = 0;
  #crc32 = 0;

  constructor(known: ZipEntry['known']) {
    this.#known = known;
  }

  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > (this.#known?.size ?? largestEntry))
      throw new Error('the content of an entry is too long');
    this.#crc32 = crc32(bytes, this.#crc32);
  }

  total(): { size: number; crc32: number } {
    const sums = { size: this.#size, crc32: this.#crc32 };
    if (this.#known && (sums.size !== this.#known.size || sums.crc32 !== this.#known.crc32))
      throw new Error('the content of an entry differs from its record');
    return sums;
  }
}

async function* summed(content: Content, sums: ContentSums): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    sums.add(bytes);
    yield bytes;
  }
}

// An error of the source ends the stream, and so the loop that reads it.
const deflated = (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(source, createDeflateRaw(), () => {});
