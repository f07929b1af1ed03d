import { crc32, deflateSync } from 'node:zlib';

interface Image {
  width: number;
  height: number;
  /** One byte per pixel: an index of the palette. */
  pixels: Uint8Array;
  /** At most 16 colours, as red, green, blue. */
  palette: readonly (readonly [number, number, number])[];
}

/** Encodes an image of 16 colours, four bits per pixel: as small as scans of paper can be without losses. */
export function encodePng({ width, height, pixels, palette }: Image): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(packRows(pixels, width, height), { level: 4 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Two pixels per byte. Each row begins with its filter, which is none. */
function packRows(pixels: Uint8Array, width: number, height: number): Buffer {
  const stride = 1 + Math.ceil(width / 2);
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x;
      const second = x + 1 < width ? (pixels[at + 1] ?? 0) : 0;
      rows[y * stride + 1 + (x >> 1)] = ((pixels[at] ?? 0) << 4) | second;
    }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
