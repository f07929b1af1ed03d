import type { PdfiumLibrary } from '../../files/pdfium.ts';
import { type OpenPdf, type PdfFiles, RefusedPdf } from './pdfFiles.ts';

/** Where the pages of a file are in the PDF. */
export interface PageRange {
  first: number;
  pages: number;
}

interface Options {
  /** An open file that the PDF is written to. */
  output: number;
  /** What PDFium may hold of files before they are written. */
  maxHeldBytes: number;
}

/**
 * One PDF with the pages of several. PDFium holds appended pages in memory, so from time to time the PDF is written to the
 * output and opened again from there; after the first time, only the pages appended since are written.
 */
export class MergedPdf {
  readonly #library: PdfiumLibrary;
  readonly #files: PdfFiles;
  readonly #options: Options;
  #pdf: OpenPdf;
  #heldBytes = 0;
  #writtenBytes = 0;
  pages = 0;

  constructor(library: PdfiumLibrary, files: PdfFiles, options: Options) {
    this.#library = library;
    this.#files = files;
    this.#options = options;
    this.#pdf = files.create();
  }

  /** The handle of the document, until the next file is appended. */
  get document(): number {
    return this.#pdf.document;
  }

  /**
   * Appends all pages of a file. Each becomes a page that inherits nothing.
   * @throws RefusedPdf
   */
  append(path: string): PageRange {
    const file = this.#files.open({ path });
    if (this.#heldBytes > 0 && this.#heldBytes + file.size > this.#options.maxHeldBytes) this.#write();
    const range = { first: this.pages, pages: this.#files.countPages(file) };
    const isAppended = this.#files.guard(() =>
      this.#library.FPDF_ImportPagesByIndex(this.document, file.document, 0, 0, range.first),
    );
    if (!isAppended) throw new RefusedPdf('damaged');
    file.close();
    this.pages += range.pages;
    this.#heldBytes += file.size;
    return range;
  }

  /** Writes the PDF, which must be one again. Returns its size. @throws RefusedPdf */
  finish(): number {
    this.#write();
    if (this.#files.countPages(this.#pdf) !== this.pages) throw new RefusedPdf('damaged');
    this.#pdf.close();
    return this.#writtenBytes;
  }

  #write(): void {
    const { output } = this.#options;
    this.#writtenBytes = this.#files.save(this.document, output, this.#writtenBytes);
    this.#heldBytes = 0;
    this.#pdf.close();
    this.#pdf = this.#files.open({ descriptor: output, size: this.#writtenBytes });
  }
}
