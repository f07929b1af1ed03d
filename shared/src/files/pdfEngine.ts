import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';

// @types/node does not declare WebAssembly, and the DOM library would declare a browser in all of shared/.
declare namespace WebAssembly {
  type Module = object;
  type Imports = object;
  interface Instance {
    exports: { memory: Memory };
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}

/** Result of opening a file. `out_of_memory`: it needs more memory than the limit. */
export type PdfOpening = 'valid' | 'invalid' | 'encrypted' | 'out_of_memory';

export interface PdfEngine {
  /** Opens one file; another file needs another engine. Throws when the file cannot be read. */
  open(path: string): PdfOpening;
  memoryBytes(): number;
}

const headerWithin = 1024;
const windowBytes = 256 * 1024;
const passwordError = 4;
const pageBytes = 64 * 1024;

const wasm = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
const compiled = await WebAssembly.compile(readFileSync(wasm));

/** Creates an instance of PDFium whose memory never exceeds `maxMemoryBytes`. */
export async function preparePdfEngine(maxMemoryBytes: number): Promise<PdfEngine> {
  const ready = Promise.withResolvers<LimitedMemory>();
  const pdfium = await init({
    print: () => {},
    printErr: () => {},
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      WebAssembly.instantiate(compiled, imports).then((instance) => {
        ready.resolve(new LimitedMemory(instance.exports.memory, maxMemoryBytes));
        done(instance);
      }, ready.reject);
      return {};
    },
  } as unknown as Parameters<typeof init>[0]);
  const memory = await ready.promise;
  pdfium.FPDF_InitLibrary();
  return { open: (path) => openPdf(pdfium, memory, path), memoryBytes: () => memory.bytes };
}

/** The memory of a WebAssembly instance. All of its growth goes through `grow`. */
class LimitedMemory {
  /** Whether the last growth exceeded the limit. */
  refused = false;
  /** The error of a growth within the limit: the system is out of memory. */
  failure: unknown;
  readonly #memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory, maxBytes: number) {
    this.#memory = memory;
    memory.grow = (pages) => {
      this.refused = memory.buffer.byteLength + pages * pageBytes > maxBytes;
      if (this.refused) throw new RangeError('the limit of a PDF check');
      try {
        return WebAssembly.Memory.prototype.grow.call(memory, pages);
      } catch (error) {
        this.failure = error;
        throw error;
      }
    };
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  at(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length);
  }
}

type Pdfium = Awaited<ReturnType<typeof init>>;

function openPdf(pdfium: Pdfium, memory: LimitedMemory, path: string): PdfOpening {
  const fd = openSync(path, 'r');
  try {
    const file = new FileWindow(fd);
    const start = new Uint8Array(Math.min(file.size, headerWithin));
    file.read(0, start);
    if (!Buffer.from(start).includes('%PDF-')) return 'invalid';
    const opening = openFirstPage(pdfium, memory, file);
    if (file.failure) throw file.failure;
    return opening;
  } finally {
    closeSync(fd);
  }
}

// PDFium aborts when an allocation or an assertion fails.
function openFirstPage(pdfium: Pdfium, memory: LimitedMemory, file: FileWindow): PdfOpening {
  const { addFunction, setValue, wasmExports } = pdfium.pdfium;
  try {
    const getBlock = addFunction(
      (_: number, position: number, address: number, length: number) =>
        file.read(position, memory.at(address, length)) ? 1 : 0,
      'iiiii',
    );
    // FPDF_FILEACCESS: m_FileLen, m_GetBlock, m_Param.
    const access = wasmExports.malloc(12);
    for (const [index, value] of [file.size, getBlock, 0].entries())
      setValue(access + index * 4, value, 'i32');
    const document = pdfium.FPDF_LoadCustomDocument(access, '');
    if (document === 0) {
      if (memory.refused) return 'out_of_memory';
      return pdfium.FPDF_GetLastError() === passwordError ? 'encrypted' : 'invalid';
    }
    // Loads the dictionary of the page, but not its content, which may inflate to any size.
    const hasPage = pdfium.FPDF_GetPageSizeByIndexF(document, 0, wasmExports.malloc(8));
    if (hasPage) return 'valid';
    return memory.refused ? 'out_of_memory' : 'invalid';
  } catch {
    if (memory.failure) throw memory.failure;
    return memory.refused ? 'out_of_memory' : 'invalid';
  }
}

/** Reads a file in blocks of 256 KiB, because PDFium requests 512 bytes at a time. */
class FileWindow {
  readonly size: number;
  failure: unknown;
  readonly #fd: number;
  readonly #window = new Uint8Array(windowBytes);
  #from = 0;
  #filled = 0;

  constructor(fd: number) {
    this.#fd = fd;
    this.size = fstatSync(fd).size;
  }

  /** Fills `target`; false when the file ends before that or cannot be read. */
  read(position: number, target: Uint8Array): boolean {
    for (let done = 0; done < target.length; ) {
      const offset = position + done - this.#from;
      if (offset < 0 || offset >= this.#filled) {
        if (!this.#load(position + done)) return false;
        continue;
      }
      const length = Math.min(target.length - done, this.#filled - offset);
      target.set(this.#window.subarray(offset, offset + length), done);
      done += length;
    }
    return true;
  }

  #load(position: number): boolean {
    // Aligned, so that reading backwards does not reload a block for each request.
    this.#from = position - (position % windowBytes);
    try {
      this.#filled = readSync(this.#fd, this.#window, 0, windowBytes, this.#from);
    } catch (error) {
      this.#filled = 0;
      this.failure = error;
    }
    return this.#from + this.#filled > position;
  }
}
