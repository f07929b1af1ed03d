import type { Point } from './pageCoordinates.ts';

/** The lower left of each page's MediaBox, from page 1. */
export type PageOrigins = (page: number) => Point;

const everywhere =
  (origin: Point): PageOrigins =>
  () =>
    origin;
const zero = everywhere([0, 0]);

/**
 * Where the MediaBoxes of a file's pages begin. Coordinates of marks count from there, but pdf.js reports only the visible
 * part of a page. Nearly always all pages begin at 0,0, which a search shows. Only where the boxes of a file differ is it
 * parsed a second time, by `parse`; then the search returns undefined.
 */
export async function searchOrigins(bytes: Uint8Array): Promise<PageOrigins | undefined> {
  const parts = [bytes, ...(await objectStreams(bytes))];
  const found = parts.flatMap((part) => [...placesOf(part, 'MediaBox')].map((at) => originAt(part, at)));
  const [first] = found;
  if (first === undefined) return found.length === 0 ? zero : undefined;
  const isSame = found.every((each) => each && each[0] === first[0] && each[1] === first[1]);
  return isSame ? everywhere(first) : undefined;
}

/** Reads the boxes of every page with a parser, which is loaded for it. */
export async function readOrigins(bytes: Uint8Array): Promise<PageOrigins> {
  try {
    const { PDFDocument } = await import('@cantoo/pdf-lib');
    const document = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
    const origins = document.getPages().map((page): Point => {
      const { x, y } = page.getMediaBox();
      return [x, y];
    });
    return (page) => origins[page - 1] ?? [0, 0];
  } catch {
    // A file that this parser cannot read can still be shown.
    return zero;
  }
}

const slash = 0x2f;

/** The end of a name, anywhere in the uncompressed parts. */
function* placesOf(bytes: Uint8Array, name: string): Generator<number> {
  const codes = new TextEncoder().encode(name);
  for (let at = bytes.indexOf(slash); at >= 0; at = bytes.indexOf(slash, at + 1))
    if (codes.every((code, index) => bytes[at + 1 + index] === code)) yield at + 1 + codes.length;
}

const textAt = (bytes: Uint8Array, from: number, length: number) =>
  new TextDecoder('latin1').decode(bytes.subarray(Math.max(0, from), from + length));

/** Undefined for a box that is elsewhere, as `12 0 R`. */
function originAt(bytes: Uint8Array, at: number): Point | undefined {
  const [, x, y] = /^\s*\[\s*(-?[\d.]+)\s+(-?[\d.]+)\s/.exec(textAt(bytes, at, 80)) ?? [];
  return x === undefined || y === undefined ? undefined : [Number(x), Number(y)];
}

/** The contents of the compressed streams that hold objects: of most newer files, also the pages. */
async function objectStreams(bytes: Uint8Array): Promise<Uint8Array[]> {
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

/** Of damaged data, or data followed by other bytes, as much as can be read. */
async function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
    .getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  } catch {
    // The data read before is kept.
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
