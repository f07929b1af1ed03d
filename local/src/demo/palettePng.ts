import { crc32, deflateSync } from 'node:zlib';

interface Image {
  width: number;
  height: number;
  /** One byte per pixel: an index into the palette. */
  pixels: Uint8Array;
  /** At most 256 colours, as red, green, blue. */
  palette: readonly (readonly [number, number, number])[];
}

/** Encodes an image with few colours. With up to 16 colours, a byte holds two pixels. */
export function encodePng({ width, height, pixels, palette }: Image, level = 4): Buffer {
  const bits = palette.length <= 16 ? 4 : 8;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rowsOf(pixels, width, height, bits), { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Packs pixels into rows. Each row begins with its filter type, here none. */
function rowsOf(pixels: Uint8Array, width: number, height: number, bits: number): Buffer {
  const perByte = 8 / bits;
  const stride = 1 + Math.ceil(width / perByte);
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + 1 + Math.floor(x / perByte);
      rows[at] = ((rows[at] ?? 0) << bits) | (pixels[y * width + x] ?? 0);
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
