import type { Point } from './pageCoordinates.ts';
import { objectStreams, placesOf, textAt } from './pdfBytes.ts';

/** The lower left corner of each page's MediaBox. Pages are numbered from 1. */
export type PageOrigins = (page: number) => Point;

const everywhere =
  (origin: Point): PageOrigins =>
  () =>
    origin;
const zero = everywhere([0, 0]);

/**
 * Finds the origins of a file's MediaBoxes. Mark coordinates are relative to them, but pdf.js reports only the visible
 * part of a page. Almost always all pages start at 0,0, which a byte search confirms. Returns undefined if the boxes
 * of a file differ: only then must `readOrigins` parse the file again.
 */
export async function searchOrigins(bytes: Uint8Array): Promise<PageOrigins | undefined> {
  const parts = [bytes, ...(await objectStreams(bytes))];
  const found = parts.flatMap((part) => [...placesOf(part, 'MediaBox')].map((at) => originAt(part, at)));
  const [first] = found;
  if (first === undefined) return found.length === 0 ? zero : undefined;
  const isSame = found.every((each) => each && each[0] === first[0] && each[1] === first[1]);
  return isSame ? everywhere(first) : undefined;
}

/** Reads the boxes of every page with a PDF parser, which is loaded on demand. */
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
    // A file that this parser rejects can still be displayed.
    return zero;
  }
}

/** Undefined for an indirect box, such as `12 0 R`. */
function originAt(bytes: Uint8Array, at: number): Point | undefined {
  const [, x, y] = /^\s*\[\s*(-?[\d.]+)\s+(-?[\d.]+)\s/.exec(textAt(bytes, at, 80)) ?? [];
  return x === undefined || y === undefined ? undefined : [Number(x), Number(y)];
}
