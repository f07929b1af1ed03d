import type { PdfiumLibrary } from '../../files/pdfium.ts';
import { Layers } from './layers.ts';
import type { OpenPdf, PdfFiles } from './pdfFiles.ts';
import type { PDFRef } from './pdfObjects.ts';
import { RefusedPdf } from './refusedPdf.ts';
import { SavedPdf } from './savedPdf.ts';
import { VisibleObjects } from './visibleObjects.ts';
import { WrittenPdf } from './writtenPdf.ts';

/** Open files to write to: the merged PDF, and one document at a time before its pages are copied. */
export interface PdfOutputs {
  merged: number;
  document: number;
}

/**
 * Merges the pages of several documents into one PDF that contains only their visible content. PDFium first saves each
 * document, because it reads damaged and encrypted files and writes plain ones. The objects are then copied
 * individually.
 */
export class MergedPdf {
  readonly #library: PdfiumLibrary;
  readonly #files: PdfFiles;
  readonly #outputs: PdfOutputs;
  readonly #written: WrittenPdf;
  readonly #tree: PDFRef;
  readonly #layers = new Layers();
  readonly #pages: PDFRef[] = [];

  constructor(library: PdfiumLibrary, files: PdfFiles, outputs: PdfOutputs) {
    this.#library = library;
    this.#files = files;
    this.#outputs = outputs;
    this.#written = new WrittenPdf(outputs.merged);
    this.#tree = this.#written.reserve();
  }

  /** Appends all pages of a document in its current state. @throws RefusedPdf */
  append(pdf: OpenPdf): void {
    const numbers = Array.from({ length: this.#files.countPages(pdf) }, (_, index) =>
      this.#files.guard(() => this.#library.EPDFDoc_GetPageObjectNumberByIndex(pdf.document, index)),
    );
    const { document } = this.#outputs;
    const saved = new SavedPdf(document, this.#files.save(pdf.document, document));
    const objects = new VisibleObjects(saved, this.#written);
    for (const number of numbers) this.#pages.push(objects.page(number, this.#tree));
    this.#layers.add(saved, objects);
  }

  /** Writes the rest of the PDF and verifies that PDFium can open it. Returns its size. @throws RefusedPdf */
  finish(): number {
    const { context } = this.#written;
    const tree = context.obj({ Type: 'Pages', Count: this.#pages.length, Kids: this.#pages });
    this.#written.write(this.#tree, tree);
    const layers = this.#layers.properties(context);
    const size = this.#written.finish(
      context.obj({ Type: 'Catalog', Pages: this.#tree, ...(layers && { OCProperties: layers }) }),
    );
    const merged = this.#files.open({ descriptor: this.#outputs.merged, size });
    if (this.#files.countPages(merged) !== this.#pages.length) throw new RefusedPdf('damaged');
    merged.close();
    return size;
  }
}
