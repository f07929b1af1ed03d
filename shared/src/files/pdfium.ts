import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';
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

export type PdfiumLibrary = Awaited<ReturnType<typeof init>>;

/** An initialized instance of PDFium. */
export interface Pdfium {
  library: PdfiumLibrary;
  memory: LimitedMemory;
  /** Whether PDFium has used its file system since it started. The file system's state is outside the memory. */
  usedFileSystem(): boolean;
}

/** The error of `FPDF_GetLastError` for a document that requires a password. */
export const passwordError = 4;

const wasm = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
const compiled = await WebAssembly.compile(readFileSync(wasm));

/** Starts an instance of PDFium whose memory never exceeds `maxMemoryBytes`. */
export async function startPdfium(maxMemoryBytes: number): Promise<Pdfium> {
  const ready = Promise.withResolvers<LimitedMemory>();
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
  // PDFium uses its file system at startup, but not for files.
  usedFileSystem = false;
  return { library, memory, usedFileSystem: () => usedFileSystem };
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
