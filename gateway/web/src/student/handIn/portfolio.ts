import { objectStreams, placesOf, textAt } from '../../shared/sheet/pdfBytes.ts';

/**
 * Whether a PDF is a portfolio: a cover page with attached files that graders do not see. False for a file that cannot
 * be read.
 */
export async function isPortfolio(file: Blob): Promise<boolean> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const parts = [bytes, ...(await objectStreams(bytes))];
    return parts.some((part) => [...placesOf(part, 'Collection')].some((at) => isNameEnd(part, at)));
  } catch {
    return false;
  }
}

/** Excludes longer names that start with this one, such as CollectionItem. */
const isNameEnd = (bytes: Uint8Array, at: number): boolean => !/^[\w-]/.test(textAt(bytes, at, 1));
