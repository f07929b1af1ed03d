import { writeSync } from 'node:fs';
import {
  PDFContext,
  PDFCrossRefSection,
  type PDFDict,
  PDFHeader,
  type PDFObject,
  PDFRef,
  PDFTrailer,
  PDFTrailerDict,
} from './pdfObjects.ts';
import type { SavedPdf } from './savedPdf.ts';

interface Serializable {
  sizeInBytes(): number;
  copyBytesInto(buffer: Uint8Array, offset: number): number;
}

const bufferBytes = 256 * 1024;

/** Writes a PDF object by object, so that memory use does not depend on its size. */
export class WrittenPdf {
  readonly context = PDFContext.create();
  readonly #descriptor: number;
  readonly #table = PDFCrossRefSection.create();
  readonly #offsets: number[] = [0];
  #buffer = Buffer.alloc(bufferBytes);
  #buffered = 0;
  #written = 0;

  /** @param descriptor an open, empty file */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#serialize(PDFHeader.forVersion(1, 7));
    this.#text('\n');
  }

  /** Reserves a reference for an object that is written later. */
  reserve(): PDFRef {
    this.#offsets.push(0);
    return PDFRef.of(this.#offsets.length - 1);
  }

  /** Writes an object, with the bytes of its stream if it has one. */
  write(ref: PDFRef, value: PDFObject, stream?: { source: SavedPdf; from: number; bytes: number }): void {
    this.#offsets[ref.objectNumber] = this.#position;
    this.#text(`${ref.objectNumber} 0 obj\n`);
    this.#serialize(value);
    if (stream) {
      this.#text('\nstream\n');
      for (let done = 0; done < stream.bytes; ) {
        const part = this.#space(Math.min(bufferBytes, stream.bytes - done));
        stream.source.copyTo(part, stream.from + done);
        done += part.length;
      }
      this.#text('\nendstream');
    }
    this.#text('\nendobj\n');
  }

  /** Ends the file. Returns its size. */
  finish(catalog: PDFDict): number {
    const root = this.reserve();
    this.write(root, catalog);
    for (const [number, offset] of this.#offsets.entries())
      if (offset > 0) this.#table.addEntry(PDFRef.of(number), offset);
    const table = this.#position;
    this.#serialize(this.#table);
    this.#text('\n');
    this.#serialize(PDFTrailerDict.of(this.context.obj({ Size: this.#offsets.length, Root: root })));
    this.#text('\n');
    this.#serialize(PDFTrailer.forLastCrossRefSectionOffset(table));
    this.#flush();
    return this.#written;
  }

  get #position(): number {
    return this.#written + this.#buffered;
  }

  #text(text: string): void {
    this.#space(text.length).write(text, 'latin1');
  }

  #serialize(value: Serializable): void {
    value.copyBytesInto(this.#space(value.sizeInBytes()), 0);
  }

  /** Returns the next bytes of the file. The caller must fill them immediately. */
  #space(bytes: number): Buffer {
    if (this.#buffered + bytes > this.#buffer.length) this.#flush();
    if (bytes > this.#buffer.length) this.#buffer = Buffer.alloc(bytes);
    const space = this.#buffer.subarray(this.#buffered, this.#buffered + bytes);
    this.#buffered += bytes;
    return space;
  }

  #flush(): void {
    for (let done = 0; done < this.#buffered; )
      done += writeSync(this.#descriptor, this.#buffer, done, this.#buffered - done, this.#written + done);
    this.#written += this.#buffered;
    this.#buffered = 0;
  }
}
