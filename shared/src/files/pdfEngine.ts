import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';
import { FileWindow } from './fileWindow.ts';
import { LimitedMemory, type WasmMemory } from './wasmMemory.ts';

type Imports = Record<string, Record<string, (...parameters: unknown[]) => unknown>>;

declare namespace WebAssembly {
  type Module = object;
  interface Instance {
    exports: { memory: WasmMemory };
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}

/** Result of opening a file. `out_of_memory`: it needs more memory than the limit. */
export type PdfOpening = 'valid' | 'invalid' | 'encrypted' | 'out_of_memory';

export interface PdfEngine {
  /** Opens one file. Throws when the file cannot be read. */
  open(path: string): PdfOpening;
  /**
   * Restores the state before the first file, so that no file affects the check of another, even if it has corrupted
   * PDFium. False when that is impossible: then the next file needs another engine.
   */
  reset(): boolean;
  memoryBytes(): number;
}

const headerWithin = 1024;
const passwordError = 4;

const wasm = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
const compiled = await WebAssembly.compile(readFileSync(wasm));

/** Creates an instance of PDFium whose memory never exceeds `maxMemoryBytes`. */
export async function preparePdfEngine(maxMemoryBytes: number): Promise<PdfEngine> {
  const ready = Promise.withResolvers<LimitedMemory>();
  // State outside of the memory: PDFium uses it when it starts, and for no file.
  let usedFileSystem = false;
  const onFileSystem = () => {
    usedFileSystem = true;
  };
  const library = await init({
    print: () => {},
    printErr: () => {},
    instantiateWasm(imports: Imports, done: (instance: WebAssembly.Instance) => void) {
      WebAssembly.instantiate(compiled, watchFileSystem(imports, onFileSystem)).then((instance) => {
        ready.resolve(new LimitedMemory(instance.exports.memory, maxMemoryBytes));
        done(instance);
      }, ready.reject);
      return {};
    },
  } as unknown as Parameters<typeof init>[0]);
  const memory = await ready.promise;
  library.FPDF_InitLibrary();
  const pdfium = new Pdfium(library, memory);
  const stack = pdfium.stackPointer;
  usedFileSystem = false;
  memory.record();
  return {
    open: (path) => pdfium.open(path),
    // The rest of an instance is its code, which nothing can change, and the stack pointer, which an abort leaves behind.
    reset: () => !usedFileSystem && !pdfium.aborted && pdfium.stackPointer === stack && memory.restore(),
    memoryBytes: () => memory.bytes,
  };
}

function watchFileSystem(imports: Imports, onUse: () => void): Imports {
  const watched = Object.entries(imports).map(([module, functions]) => [
    module,
    Object.fromEntries(
      Object.entries(functions).map(([name, call]) => [
        name,
        /^(__syscall|fd_)/.test(name)
          ? (...parameters: unknown[]) => {
              onUse();
              return call(...parameters);
            }
          : call,
      ]),
    ),
  ]);
  return Object.fromEntries(watched);
}

/** An export that the library's types lack. */
interface StackExports {
  emscripten_stack_get_current(): number;
}

type Library = Awaited<ReturnType<typeof init>>;

/** Opens PDFs with one instance of PDFium. */
class Pdfium {
  /** Whether PDFium has aborted: an allocation or an assertion has failed. */
  aborted = false;
  readonly #library: Library;
  readonly #memory: LimitedMemory;
  readonly #file = new FileWindow();
  /** Address of the FPDF_FILEACCESS (m_FileLen, m_GetBlock, m_Param) of the current file. */
  readonly #access: number;
  readonly #size: number;

  constructor(library: Library, memory: LimitedMemory) {
    this.#library = library;
    this.#memory = memory;
    const { addFunction, setValue, wasmExports } = library.pdfium;
    const getBlock = addFunction(
      (_: number, position: number, address: number, length: number) =>
        this.#file.read(position, memory.at(address, length)) ? 1 : 0,
      'iiiii',
    );
    this.#access = wasmExports.malloc(12);
    this.#size = wasmExports.malloc(8);
    for (const [index, value] of [0, getBlock, 0].entries()) setValue(this.#access + index * 4, value, 'i32');
  }

  get stackPointer(): number {
    return (this.#library.pdfium.wasmExports as unknown as StackExports).emscripten_stack_get_current();
  }

  open(path: string): PdfOpening {
    this.#file.open(path);
    try {
      const start = new Uint8Array(Math.min(this.#file.size, headerWithin));
      this.#file.read(0, start);
      if (!Buffer.from(start).includes('%PDF-')) return 'invalid';
      const opening = this.#openFirstPage();
      if (this.#file.failure) throw this.#file.failure;
      return opening;
    } finally {
      this.#file.close();
    }
  }

  #openFirstPage(): PdfOpening {
    this.#memory.refused = false;
    const { setValue } = this.#library.pdfium;
    try {
      setValue(this.#access, this.#file.size, 'i32');
      const document = this.#library.FPDF_LoadCustomDocument(this.#access, '');
      if (document === 0) {
        if (this.#memory.refused) return 'out_of_memory';
        return this.#library.FPDF_GetLastError() === passwordError ? 'encrypted' : 'invalid';
      }
      // Loads the dictionary of the page, but not its content, which may inflate to any size.
      const hasPage = this.#library.FPDF_GetPageSizeByIndexF(document, 0, this.#size);
      if (hasPage) return 'valid';
      return this.#memory.refused ? 'out_of_memory' : 'invalid';
    } catch {
      this.aborted = true;
      if (this.#memory.failure) throw this.#memory.failure;
      return this.#memory.refused ? 'out_of_memory' : 'invalid';
    }
  }
}
