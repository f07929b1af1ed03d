import type { Pdfium } from '../../files/pdfium.ts';
import { type OpenPdf, type Outputs, type PdfFiles, RefusedPdf } from './pdfFiles.ts';

export interface WrittenPdf {
  output: 0 | 1;
  size: number;
}

/** Where the pages of a file are in the PDF. */
export interface PageRange {
  first: number;
  pages: number;
}

interface Options {
  outputs: Outputs;
  /** What PDFium may hold of files before the PDF is written. */
  maxHeldBytes: number;
}

/**
 * The PDF that is drawn on. PDFium keeps what it has read of it and what was appended to it in memory, so from time to time
 * the PDF is written to an output, and opened again from there.
 */
export class WorkingPdf {
  readonly #pdfium: Pdfium;
  readonly #files: PdfFiles;
  readonly #outputs: Outputs;
  readonly #maxHeldBytes: number;
  #pdf: OpenPdf;
  #appendedBytes = 0;
  /** The output that the PDF is not read from. */
  #freeOutput: 0 | 1 = 0;
  pages: number;

  /** @throws RefusedPdf, as every method does */
  constructor(pdfium: Pdfium, files: PdfFiles, path: string, { outputs, maxHeldBytes }: Options) {
    this.#pdfium = pdfium;
    this.#files = files;
    this.#outputs = outputs;
    this.#maxHeldBytes = maxHeldBytes;
    this.#pdf = files.open({ path });
    this.pages = this.#pdf.pages;
  }

  /** The handle of the document, until {@link relieve} opens another. */
  get document(): number {
    return this.#pdf.document;
  }

  /** Appends all pages of a file. */
  append(path: string): PageRange {
    const { library } = this.#pdfium;
    const other = this.#files.open({ path });
    this.relieve(other.size);
    const range = { first: this.pages, pages: other.pages };
    if (
      !this.#files.guard(() =>
        library.FPDF_ImportPagesByIndex(this.document, other.document, 0, 0, range.first),
      )
    )
      throw new RefusedPdf('damaged');
    other.close();
    this.pages += other.pages;
    this.#appendedBytes += other.size;
    return range;
  }

  /** Frees memory if PDFium would hold too much with further bytes. Returns whether the document was opened again. */
  relieve(furtherBytes = 0): boolean {
    const held = this.#appendedBytes + this.#pdf.bytesRead();
    if (held + furtherBytes <= this.#maxHeldBytes) return false;
    const { output, size } = this.#write();
    this.#pdf.close();
    this.#pdf = this.#files.open({ descriptor: this.#outputs[output], size });
    this.#freeOutput = output === 0 ? 1 : 0;
    this.#appendedBytes = 0;
    return true;
  }

  /** Writes the PDF, which must be one again. */
  finish(): WrittenPdf {
    const written = this.#write();
    this.#pdf.close();
    const reopened = this.#files.open({ descriptor: this.#outputs[written.output], size: written.size });
    reopened.close();
    if (reopened.pages !== this.pages) throw new RefusedPdf('damaged');
    return written;
  }

  #write(): WrittenPdf {
    const output = this.#freeOutput;
    return { output, size: this.#files.save(this.document, this.#outputs[output]) };
  }
}
