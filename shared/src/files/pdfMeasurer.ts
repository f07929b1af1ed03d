import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileLibrary, LibraryFile } from './fileLibrary.ts';
import type { PdfChecker } from './pdfChecker.ts';
import type { PageSize } from './pdfEngine.ts';

export interface PdfMeasurer {
  /**
   * Measures the pages of a stored PDF. Returns an empty array for a file that exceeds the limits of a check.
   * @throws FileMissingError when the store does not have the file
   * @throws AppError `unavailable` when it fails for a reason other than the file
   */
  measure(file: LibraryFile, userId: number): Promise<PageSize[]>;
}

interface Dependencies {
  files: Pick<FileLibrary, 'open'>;
  pdf: Pick<PdfChecker, 'measure'>;
  /** Directory for copies of stored files, because the store may be on another machine. */
  directory: string;
}

/** Measures stored PDFs in the processes that check PDFs. */
export const createPdfMeasurer = ({ files, pdf, directory }: Dependencies): PdfMeasurer => ({
  async measure(file, userId) {
    const path = join(directory, randomUUID());
    try {
      await pipeline(await files.open(file), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return await pdf.measure(path, userId);
    } finally {
      await rm(path, { force: true });
    }
  },
});
