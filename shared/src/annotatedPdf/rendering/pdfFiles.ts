import { writeSync } from 'node:fs';
import { FileWindow } from '../../files/fileWindow.ts';
import { type Pdfium, passwordError } from '../../files/pdfium.ts';
import { RefusedPdf } from './refusedPdf.ts';

declare namespace WebAssembly {
  class RuntimeError extends Error {}
}

/** A file that PDFium reads while its document is open. */
export type PdfSource = { path: string } | { descriptor: number; size: number };

export interface OpenPdf {
  /** PDFium's handle for the document. */
  document: number;
  /** In bytes; 0 for a new document. */
  size: number;
  close(): void;
}

// PDFium's save flag for the whole document, without encryption.
const withoutSecurity = 3;

/** Opens and writes PDFs without loading them into memory. */
export class PdfFiles {
  readonly #pdfium: Pdfium;
  /** Windows of the open files, by the number that PDFium passes to the callback. */
  readonly #windows = new Map<number, FileWindow>();
  #lastNumber = 0;
  readonly #getBlock: number;
  readonly #writeBlock: number;
  #output: { descriptor: number; size: number } | undefined;
  /** The error of a failed write. */
  #failure: unknown;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
    const { memory } = pdfium;
    const { addFunction } = pdfium.library.pdfium;
    this.#getBlock = addFunction(
      (number: number, position: number, address: number, length: number) =>
        this.#windows.get(number)?.read(position, memory.at(address, length)) ? 1 : 0,
      'iiiii',
    );
    this.#writeBlock = addFunction(
      (_: number, address: number, length: number) => (this.#write(memory.at(address, length)) ? 1 : 0),
      'iiii',
    );
  }

  /** @throws RefusedPdf */
  open(source: PdfSource): OpenPdf {
    const { library } = this.#pdfium;
    const window = new FileWindow();
    if ('path' in source) window.open(source.path);
    else window.use(source.descriptor, source.size);
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#windows.set(number, window);
    const access = this.#struct([window.size, this.#getBlock, number]);
    const document = this.guard(() => library.FPDF_LoadCustomDocument(access, ''));
    if (document === 0)
      throw new RefusedPdf(library.FPDF_GetLastError() === passwordError ? 'encrypted' : 'damaged');
    return {
      document,
      size: window.size,
      close: () => {
        library.FPDF_CloseDocument(document);
        library.pdfium.wasmExports.free(access);
        window.close();
        this.#windows.delete(number);
      },
    };
  }

  /** Creates a PDF without pages. */
  create(): OpenPdf {
    const { library } = this.#pdfium;
    const document = this.guard(() => library.FPDF_CreateNewDocument());
    return { document, size: 0, close: () => library.FPDF_CloseDocument(document) };
  }

  /** @throws RefusedPdf if the PDF has no pages */
  countPages({ document }: OpenPdf): number {
    const pages = this.guard(() => this.#pdfium.library.FPDF_GetPageCount(document));
    if (pages < 1) throw new RefusedPdf('damaged');
    return pages;
  }

  /** Writes a document to the start of an open file. Returns its size. @throws RefusedPdf */
  save(document: number, descriptor: number): number {
    const { library } = this.#pdfium;
    this.#output = { descriptor, size: 0 };
    const writer = this.#struct([1, this.#writeBlock]);
    const isSaved = this.guard(() => library.FPDF_SaveAsCopy(document, writer, withoutSecurity));
    library.pdfium.wasmExports.free(writer);
    if (!isSaved) throw new RefusedPdf('damaged');
    return this.#output.size;
  }

  /** Calls PDFium and converts its failures. @throws RefusedPdf, or the I/O error of a file */
  guard<T>(call: () => T): T {
    const { memory } = this.#pdfium;
    memory.refused = false;
    let result: T;
    try {
      result = call();
    } catch (error) {
      const failure = this.#ownFailure();
      if (failure !== undefined) throw failure;
      if (memory.refused) throw new RefusedPdf('out_of_memory');
      // PDFium aborted, or its recursion exceeded the stack.
      const isOfPdfium = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
      throw isOfPdfium ? new RefusedPdf('damaged') : error;
    }
    const failure = this.#ownFailure();
    if (failure !== undefined) throw failure;
    // Calls without a result throw when they fail.
    if (result !== undefined && !result && memory.refused) throw new RefusedPdf('out_of_memory');
    return result;
  }

  #ownFailure(): unknown {
    const failedRead = [...this.#windows.values()].find(({ failure }) => failure);
    return this.#failure ?? this.#pdfium.memory.failure ?? failedRead?.failure;
  }

  #write(block: Uint8Array): boolean {
    const output = this.#output;
    if (!output) return false;
    try {
      for (let done = 0; done < block.length; ) {
        const written = writeSync(output.descriptor, block, done, block.length - done, output.size);
        done += written;
        output.size += written;
      }
      return true;
    } catch (error) {
      this.#failure = error;
      return false;
    }
  }

  #struct(values: number[]): number {
    const { wasmExports, setValue } = this.#pdfium.library.pdfium;
    const address = wasmExports.malloc(values.length * 4);
    for (const [index, value] of values.entries()) setValue(address + index * 4, value, 'i32');
    return address;
  }
}
