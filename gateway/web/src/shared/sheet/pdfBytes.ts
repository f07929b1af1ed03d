// Searches the bytes of PDFs without loading a parser.

const slash = 0x2f;

/** Yields the position after each occurrence of a name in the uncompressed parts. */
export function* placesOf(bytes: Uint8Array, name: string): Generator<number> {
  const codes = new TextEncoder().encode(name);
  for (let at = bytes.indexOf(slash); at >= 0; at = bytes.indexOf(slash, at + 1))
    if (codes.every((code, index) => bytes[at + 1 + index] === code)) yield at + 1 + codes.length;
}

export const textAt = (bytes: Uint8Array, from: number, length: number) =>
  new TextDecoder('latin1').decode(bytes.subarray(Math.max(0, from), from + length));

/** Returns the contents of compressed object streams. In most newer files these also contain the pages. */
export async function objectStreams(bytes: Uint8Array): Promise<Uint8Array[]> {
  const contents: Uint8Array[] = [];
  for (const at of placesOf(bytes, 'ObjStm')) {
    const start = /stream\r?\n/.exec(textAt(bytes, at, 400));
    if (!start) continue;
    const from = at + start.index + start[0].length;
    contents.push(await inflated(bytes.subarray(from, streamEnd(bytes, from))));
  }
  return contents;
}

const endstream = new TextEncoder().encode('endstream');

function streamEnd(bytes: Uint8Array, from: number): number {
  const [first = 0] = endstream;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (endstream.every((code, index) => bytes[at + index] === code)) return at;
  return bytes.length;
}

/** Inflates as much as possible of data that is damaged or followed by other bytes. */
async function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
    .getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  } catch {
    // Keeps the data read so far.
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
