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

/** One file of an archive. Entries are written in order. */
export interface ZipEntry {
  /** Relative path, with `/` between folders. */
  path: string;
  modifiedAt: Date;
  /** Called when all previous entries have been written. */
  content(): Content | Promise<AsyncIterable<Buffer>>;
  /** Whether to compress the entry. Stored by default, because PDFs hardly compress. */
  isCompressed?: boolean;
  /** Size and CRC-32, if known before the content. The archive can then be extracted while it is still downloading. */
  known?: { size: number; crc32: number };
}

// Larger entries would need ZIP64 records. No file of this system is that large (MAX_UPLOAD_BYTES).
const largestEntry = 0xffff_fffe;

/**
 * Writes a ZIP archive while it is being read. One entry is open at a time and nothing is read ahead, so memory grows
 * only by about a hundred bytes per entry. The CRC-32 of every entry is computed natively, which costs little compared
 * to the transfer.
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

/** The size in bytes of an archive of stored entries with known sizes. */
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

/** Computes size and CRC-32 of an entry's content, and compares them with the known values. */
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

// An error in the source destroys the stream, which ends the loop that reads it.
const deflated = (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(source, createDeflateRaw(), () => {});
