import type { PdfiumLibrary } from '../../files/pdfium.ts';
import { type OpenPdf, type PdfFiles, RefusedPdf } from './pdfFiles.ts';

interface Options {
  /** An open file that the PDF is written to. */
  output: number;
  /** What PDFium may hold of files before they are written. */
  maxHeldBytes: number;
}

/**
 * One PDF of several. PDFium holds in memory what was appended, so from time to time the PDF is written to the output, and
 * opened again from there. The first time all of it is written, for which PDFium reads all of the first file; later only
 * what was appended meanwhile.
 */
export class MergedPdf {
  readonly #library: PdfiumLibrary;
  readonly #files: PdfFiles;
  readonly #options: Options;
  #pdf: OpenPdf | undefined;
  #pages = 0;
  #heldBytes = 0;
  #writtenBytes = 0;

  constructor(library: PdfiumLibrary, files: PdfFiles, options: Options) {
    this.#library = library;
    this.#files = files;
    this.#options = options;
  }

  /** Appends all pages of a PDF, and closes it when it is not needed anymore. @throws RefusedPdf */
  append(other: OpenPdf): void {
    if (this.#pdf && this.#heldBytes + other.size > this.#options.maxHeldBytes)
      this.#pdf = this.#rewrite(this.#pdf);
    if (this.#pdf) {
      const { document } = this.#pdf;
      const isAppended = this.#files.guard(() =>
        this.#library.FPDF_ImportPagesByIndex(document, other.document, 0, 0, this.#pages),
      );
      if (!isAppended) throw new RefusedPdf('damaged');
      other.close();
    } else this.#pdf = other;
    this.#pages += other.pages;
    this.#heldBytes += other.size;
  }

  /** Writes the PDF, which must be one again. Returns its size. @throws RefusedPdf */
  finish(): number {
    if (!this.#pdf) throw new Error('there is nothing to write');
    const written = this.#rewrite(this.#pdf);
    written.close();
    if (written.pages !== this.#pages) throw new RefusedPdf('damaged');
    return this.#writtenBytes;
  }

  #rewrite(pdf: OpenPdf): OpenPdf {
    const { output } = this.#options;
    this.#writtenBytes = this.#files.save(pdf.document, output, this.#writtenBytes);
    this.#heldBytes = 0;
    pdf.close();
    return this.#files.open({ descriptor: output, size: this.#writtenBytes });
  }
}
