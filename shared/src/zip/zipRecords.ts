/*
 * The records of a ZIP archive (PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.5). Entries are smaller than 4 GiB. An
 * archive may be larger or have more than 65,535 entries; it then uses ZIP64 records.
 */

/** The metadata of an entry in the records. */
export interface EntryFacts {
  /** UTF-8. */
  path: Buffer;
  modifiedAt: Date;
  isCompressed: boolean;
  /** Whether size and CRC follow the content because they were not known before it. */
  hasDescriptor: boolean;
  crc32: number;
  size: number;
  compressedSize: number;
  /** Offset of its local header. */
  offset: number;
}

const most32 = 0xffff_ffff;
const most16 = 0xffff;
const [versionOfDirectories, versionOfZip64] = [20, 45];
// Made by: Unix, version 6.3 of the specification.
const madeBy = (3 << 8) | 63;
const fileMode = (0o100664 << 16) >>> 0;
const [namesAreUtf8, sizesFollow] = [1 << 11, 1 << 3];
const [stored, deflated] = [0, 8];
const [zip64Field, timestampField] = [0x0001, 0x5455];

export const localHeaderBytes = (path: Buffer): number => 30 + path.length;

/** Precedes the content. Sizes and CRC are zero if a descriptor follows. */
export function localHeader(entry: EntryFacts): Buffer {
  const { path, hasDescriptor } = entry;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(versionOfDirectories, 4);
  writeCommonFields(header, 6, hasDescriptor ? { ...entry, crc32: 0, size: 0, compressedSize: 0 } : entry);
  return Buffer.concat([header, path]);
}

/** Follows the content of an entry whose size or CRC was not known in advance. */
export function dataDescriptor({ crc32, size, compressedSize }: EntryFacts): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32, 4);
  descriptor.writeUInt32LE(compressedSize, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

/** The entry's record in the central directory, at the end of the archive. */
export function centralRecord(entry: EntryFacts): Buffer {
  const { path, offset, modifiedAt } = entry;
  const isFar = offset >= most32;
  const extra = Buffer.alloc(isFar ? 21 : 9);
  // The modification time in UTC, because the common fields have no time zone. The second flag is Info-ZIP's
  // convention.
  extra.writeUInt16LE(timestampField, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(3, 4);
  extra.writeInt32LE(
    Math.max(-0x8000_0000, Math.min(Math.floor(modifiedAt.getTime() / 1000), 0x7fff_ffff)),
    5,
  );
  if (isFar) {
    extra.writeUInt16LE(zip64Field, 9);
    extra.writeUInt16LE(8, 11);
    extra.writeBigUInt64LE(BigInt(offset), 13);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(madeBy, 4);
  record.writeUInt16LE(isFar ? versionOfZip64 : versionOfDirectories, 6);
  writeCommonFields(record, 8, entry);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(fileMode, 38);
  record.writeUInt32LE(Math.min(offset, most32), 42);
  return Buffer.concat([record, path, extra]);
}

// Both headers share these fields in this order, from the flags to the length of the path.
function writeCommonFields(header: Buffer, at: number, entry: EntryFacts): void {
  const { path, modifiedAt, isCompressed, hasDescriptor, crc32, size, compressedSize } = entry;
  header.writeUInt16LE(namesAreUtf8 | (hasDescriptor ? sizesFollow : 0), at);
  header.writeUInt16LE(isCompressed ? deflated : stored, at + 2);
  const { date, time } = dosTime(modifiedAt);
  header.writeUInt16LE(time, at + 4);
  header.writeUInt16LE(date, at + 6);
  header.writeUInt32LE(crc32, at + 8);
  header.writeUInt32LE(compressedSize, at + 12);
  header.writeUInt32LE(size, at + 16);
  header.writeUInt16LE(path.length, at + 20);
}

// In local time, from 1980 to 2107, with a resolution of two seconds.
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.max(1980, Math.min(at.getFullYear(), 2107));
  return {
    date: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
  };
}

interface Directory {
  entries: number;
  bytes: number;
  offset: number;
}

/** The end of an archive. Locates its central directory. */
export function endOfDirectory(directory: Directory): Buffer {
  const { entries, bytes, offset } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, most16), 8);
  end.writeUInt16LE(Math.min(entries, most16), 10);
  end.writeUInt32LE(Math.min(bytes, most32), 12);
  end.writeUInt32LE(Math.min(offset, most32), 16);
  const needsZip64 = entries >= most16 || bytes >= most32 || offset >= most32;
  return needsZip64 ? Buffer.concat([zip64End(directory), end]) : end;
}

function zip64End({ entries, bytes, offset }: Directory): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(madeBy, 12);
  end.writeUInt16LE(versionOfZip64, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  // The locator of the record above. Older programs ignore it.
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
