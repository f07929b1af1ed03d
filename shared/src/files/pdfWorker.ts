import { type FileHandle, open } from 'node:fs/promises';
import {
  getDocument,
  PasswordException,
  PDFDataRangeTransport,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfVerdict } from './pdfChecker.ts';

// The header must begin within these first bytes (D28).
const headerBytes = 1024;
const rangeBytes = 256 * 1024;

/** Entry point of the worker threads of pdfChecker.ts. */
export default async function checkPdf({ path }: { path: string }): Promise<PdfVerdict> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = await read(file, 0, Math.min(size, headerBytes));
    if (!Buffer.from(start).includes('%PDF-')) return 'invalid';
    return await openDocument(file, size);
  } finally {
    await file.close();
  }
}

async function openDocument(file: FileHandle, size: number): Promise<PdfVerdict> {
  // The parser reads the file in ranges on demand, so a large file is never in memory as a whole.
  const task = getDocument({
    range: new FileRanges(file, size),
    rangeChunkSize: rangeBytes,
    disableAutoFetch: true,
    disableStream: true,
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: true,
  } as Parameters<typeof getDocument>[0]);
  try {
    const document = await task.promise;
    await document.getPage(1);
    return 'valid';
  } catch (error) {
    return error instanceof PasswordException ? 'encrypted' : 'invalid';
  } finally {
    await task.destroy();
  }
}

class FileRanges extends PDFDataRangeTransport {
  readonly #file: FileHandle;

  constructor(file: FileHandle, size: number) {
    super(size, null);
    this.#file = file;
  }

  override requestDataRange(begin: number, end: number): void {
    read(this.#file, begin, Math.min(end, this.length) - begin).then(
      (bytes) => this.onDataRange(begin, bytes),
      () => this.abort(),
    );
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytesRead === length ? bytes : bytes.slice(0, bytesRead);
}
