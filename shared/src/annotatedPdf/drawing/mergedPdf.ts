import type { PdfiumLibrary } from '../../files/pdfium.ts';
import { type OpenPdf, type Outputs, type PdfFiles, RefusedPdf } from './pdfFiles.ts';

export interface WrittenPdf {
  output: 0 | 1;
  size: number;
}

interface Options {
  outputs: Outputs;
  /** What PDFium may hold of files before they are written. */
  maxHeldBytes: number;
}

/**
 * One PDF of several. PDFium keeps what it has read of the first one and what was appended to it in memory, so from time to
 * time it is written to an output, and opened again from there.
 */
export class MergedPdf {
  readonly #library: PdfiumLibrary;
  readonly #files: PdfFiles;
  readonly #options: Options;
  #pdf: OpenPdf | undefined;
  #pages = 0;
  #appendedBytes = 0;
  /** The output that the PDF is not read from. */
  #freeOutput: 0 | 1 = 0;

  constructor(library: PdfiumLibrary, files: PdfFiles, options: Options) {
    this.#library = library;
    this.#files = files;
    this.#options = options;
  }

  /** Appends all pages of a PDF, and closes it when it is not needed anymore. @throws RefusedPdf */
  append(other: OpenPdf): void {
    if (this.#pdf) {
      const pdf = this.#relieved(this.#pdf, other.size);
      const [document, at] = [pdf.document, this.#pages];
      if (!this.#files.guard(() => this.#library.FPDF_ImportPagesByIndex(document, other.document, 0, 0, at)))
        throw new RefusedPdf('damaged');
      other.close();
      this.#appendedBytes += other.size;
    } else this.#pdf = other;
    this.#pages += other.pages;
  }

  /** Writes the PDF, which must be one again. @throws RefusedPdf */
  finish(): WrittenPdf {
    if (!this.#pdf) throw new Error('there is nothing to write');
    const written = this.#write(this.#pdf);
    this.#pdf.close();
    const reopened = this.#open(written);
    reopened.close();
    if (reopened.pages !== this.#pages) throw new RefusedPdf('damaged');
    return written;
  }

  /** The PDF, opened again if PDFium would hold too much with further bytes. */
  #relieved(pdf: OpenPdf, furtherBytes: number): OpenPdf {
    const held = this.#appendedBytes + pdf.bytesRead();
    if (held + furtherBytes <= this.#options.maxHeldBytes) return pdf;
    const written = this.#write(pdf);
    pdf.close();
    this.#pdf = this.#open(written);
    this.#freeOutput = written.output === 0 ? 1 : 0;
    this.#appendedBytes = 0;
    return this.#pdf;
  }

  #write({ document }: OpenPdf): WrittenPdf {
    const output = this.#freeOutput;
    return { output, size: this.#files.save(document, this.#options.outputs[output]) };
  }

  #open({ output, size }: WrittenPdf): OpenPdf {
    return this.#files.open({ descriptor: this.#options.outputs[output], size });
  }
}
