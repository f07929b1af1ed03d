import { FileWindow } from './fileWindow.ts';
import { type Pdfium, passwordError, startPdfium } from './pdfium.ts';

/** Result of opening a file. `out_of_memory`: the file needs more memory than the limit. */
export type PdfOpening = 'valid' | 'invalid' | 'encrypted' | 'out_of_memory';

/** The size of a page in points, as stored: its MediaBox, regardless of rotation and CropBox. */
export type PageSize = [width: number, height: number];

export interface PdfEngine {
  /** Opens a file and adds its page sizes to `sizes`, if given. Throws when the file cannot be read. */
  open(path: string, sizes?: PageSize[]): PdfOpening;
  /**
   * Restores the state before the first file, so that no file affects the check of another, even if it has corrupted
   * PDFium. Returns false if that is impossible; the next file then needs a new engine.
   */
  reset(): boolean;
  memoryBytes(): number;
}

const headerWithin = 1024;
// More pages than any answer sheet has. A file can claim any number.
const maxPages = 10_000;
const mediaBox = 0;

/** Creates an engine whose memory never exceeds `maxMemoryBytes`. */
export async function preparePdfEngine(maxMemoryBytes: number): Promise<PdfEngine> {
  const pdfium = await startPdfium(maxMemoryBytes);
  const { memory } = pdfium;
  const opener = new PdfOpener(pdfium);
  const stack = opener.stackPointer;
  memory.record();
  return {
    open: (path, sizes) => opener.open(path, sizes),
    // Otherwise an instance consists of its code, which nothing can change, and the stack pointer, which an abort does
    // not reset.
    reset: () =>
      !pdfium.usedFileSystem() && !opener.aborted && opener.stackPointer === stack && memory.restore(),
    memoryBytes: () => memory.bytes,
  };
}

/** An export missing from the library's types. */
interface StackExports {
  emscripten_stack_get_current(): number;
}

/** Opens PDFs with one instance of PDFium. */
class PdfOpener {
  /** Whether PDFium has aborted: an allocation or an assertion has failed. */
  aborted = false;
  readonly #pdfium: Pdfium;
  readonly #file = new FileWindow();
  /** Address of the FPDF_FILEACCESS (m_FileLen, m_GetBlock, m_Param) of the current file. */
  readonly #access: number;
  /** Address for the sizes that PDFium returns, up to four numbers. */
  readonly #size: number;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
    const { addFunction, setValue, wasmExports } = pdfium.library.pdfium;
    const getBlock = addFunction(
      (_: number, position: number, address: number, length: number) =>
        this.#file.read(position, pdfium.memory.at(address, length)) ? 1 : 0,
      'iiiii',
    );
    this.#access = wasmExports.malloc(12);
    this.#size = wasmExports.malloc(16);
    for (const [index, value] of [0, getBlock, 0].entries()) setValue(this.#access + index * 4, value, 'i32');
  }

  get stackPointer(): number {
    const { wasmExports } = this.#pdfium.library.pdfium;
    return (wasmExports as unknown as StackExports).emscripten_stack_get_current();
  }

  open(path: string, sizes?: PageSize[]): PdfOpening {
    this.#file.open(path);
    try {
      const start = new Uint8Array(Math.min(this.#file.size, headerWithin));
      this.#file.read(0, start);
      if (!Buffer.from(start).includes('%PDF-')) return 'invalid';
      const opening = this.#openPages(sizes);
      if (this.#file.failure) throw this.#file.failure;
      return opening;
    } finally {
      this.#file.close();
    }
  }

  #openPages(sizes: PageSize[] | undefined): PdfOpening {
    const { library, memory } = this.#pdfium;
    memory.refused = false;
    try {
      library.pdfium.setValue(this.#access, this.#file.size, 'i32');
      const document = library.FPDF_LoadCustomDocument(this.#access, '');
      if (document === 0) {
        if (memory.refused) return 'out_of_memory';
        return library.FPDF_GetLastError() === passwordError ? 'encrypted' : 'invalid';
      }
      // Loads the dictionary of the page, but not its content, which may inflate to any size.
      const hasPage = library.FPDF_GetPageSizeByIndexF(document, 0, this.#size);
      if (hasPage) sizes?.push(...this.#sizesOf(document));
      if (hasPage) return 'valid';
      return memory.refused ? 'out_of_memory' : 'invalid';
    } catch {
      this.aborted = true;
      if (memory.failure) throw memory.failure;
      return memory.refused ? 'out_of_memory' : 'invalid';
    }
  }

  // Reads only the page dictionaries.
  #sizesOf(document: number): PageSize[] {
    const { library } = this.#pdfium;
    const count = Math.min(library.FPDF_GetPageCount(document), maxPages);
    return Array.from({ length: count }, (_, page): PageSize => {
      if (!library.EPDF_GetPageBoxByIndex(document, page, mediaBox, this.#size)) return [0, 0];
      // FS_RECTF: left, top, right, bottom.
      const at = (index: number) => Number(library.pdfium.getValue(this.#size + 4 * index, 'float'));
      return [Math.abs(at(2) - at(0)), Math.abs(at(1) - at(3))];
    });
  }
}
