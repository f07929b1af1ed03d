export interface ArchiveEntry {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Encodes numbers of 2 or 4 bytes, little-endian. */
function record(parts: [value: number, size: 2 | 4][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(parts.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of parts) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

// Names are UTF-8 (flag 0x800), contents are not compressed, and all dates are 1 January 1980.
const shared = (crc: number, size: number, nameLength: number): [number, 2 | 4][] => [
  ...([
    [20, 2],
    [0x800, 2],
    [0, 2],
    [0, 2],
    [0x21, 2],
    [crc, 4],
  ] as [number, 2 | 4][]),
  ...([
    [size, 4],
    [size, 4],
    [nameLength, 2],
    [0, 2],
  ] as [number, 2 | 4][]),
];

/** Packs individually chosen CSV files into a ZIP archive of less than 4 GiB. */
export function zipArchive(entries: ArchiveEntry[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const nameBytes = new TextEncoder().encode(name);
    const fields = shared(crc32(bytes), bytes.length, nameBytes.length);
    const head = record([[0x04034b50, 4], ...fields]);
    directory.push(
      record([[0x02014b50, 4], [20, 2], ...fields, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]),
      nameBytes,
    );
    parts.push(head, nameBytes, bytes);
    offset += head.length + nameBytes.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const [count, none]: [[number, 2], [number, 2]] = [
    [entries.length, 2],
    [0, 2],
  ];
  const end = record([[0x06054b50, 4], none, none, count, count, [size, 4], [offset, 4], none]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
