import { FileWindow } from '../../files/fileWindow.ts';
import { PDFContext, type PDFObject, PDFObjectParser } from './pdfObjects.ts';
import { RefusedPdf } from './refusedPdf.ts';

/** An object of a PDF. `stream` is the position of its bytes in the file. */
export interface SavedObject {
  value: PDFObject;
  stream?: { from: number; bytes: number };
}

// Larger than any dictionary or array of a legitimate PDF. The parsed form is on the heap and about 40 times as large.
const largestObject = 512 * 1024;
const usualHead = 4 * 1024;
const entryBytes = 20;
const streamStart = Buffer.from('>>stream\r\n');
const streamEnd = '\r\nendstream\r\nendobj\r\n';

/**
 * Reads the objects of a PDF that PDFium has just saved in full: consecutive, neither encrypted nor in object streams,
 * with one cross-reference table at the end. Objects are parsed on request; streams are never loaded.
 */
export class SavedPdf {
  /** The dictionary at the end of the file. */
  readonly trailer: PDFObject;
  readonly #context = PDFContext.create();
  readonly #window = new FileWindow();
  /** Offsets by object number; 0 if there is no object. */
  readonly #offsets: Float64Array;
  /** Offsets in ascending order, followed by the end of the last object. */
  readonly #starts: Float64Array;

  /** @throws RefusedPdf */
  constructor(descriptor: number, size: number) {
    this.#window.use(descriptor, size);
    const end = this.#read(Math.max(0, size - 64), size).toString('latin1');
    const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(end)?.[1]);
    if (!(table < size)) throw new RefusedPdf('damaged');
    const { offsets, trailer } = readTable(this.#read(table, size));
    this.trailer = this.#parse(trailer);
    this.#offsets = offsets;
    const used = offsets.filter((offset) => offset > 0);
    this.#starts = new Float64Array(used.length + 1);
    this.#starts.set(used);
    this.#starts[used.length] = table;
    this.#starts.sort();
  }

  /**
   * Reads the object with the given number; undefined if there is none, which PDF treats as null. @throws RefusedPdf
   */
  read(number: number): SavedObject | undefined {
    const from = this.#offsets[number];
    if (!from) return undefined;
    const to = this.#endOf(from);
    const { head, dictionaryEnd } = this.#headOf(from, to);
    if (dictionaryEnd < 0) return { value: this.#parse(afterNumber(head)) };
    const value = this.#parse(afterNumber(head.subarray(0, dictionaryEnd + 2)));
    const [start, end] = [from + dictionaryEnd + streamStart.length, to - streamEnd.length];
    if (end < start || this.#read(end, to).toString('latin1') !== streamEnd) throw new RefusedPdf('damaged');
    return { value, stream: { from: start, bytes: end - start } };
  }

  /** Fills `target` from an offset in the file. */
  copyTo(target: Uint8Array, from: number): void {
    if (!this.#window.read(from, target)) throw this.#window.failure ?? new RefusedPdf('damaged');
  }

  /** Reads an object at least up to its stream. `dictionaryEnd` is negative if there is no stream. */
  #headOf(from: number, to: number): { head: Buffer; dictionaryEnd: number } {
    for (const bytes of [usualHead, largestObject]) {
      const head = this.#read(from, Math.min(to, from + bytes));
      const dictionaryEnd = head.indexOf(streamStart);
      if (dictionaryEnd >= 0 || to - from <= bytes) return { head, dictionaryEnd };
    }
    throw new RefusedPdf('out_of_memory');
  }

  #read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from);
    this.copyTo(bytes, from);
    return bytes;
  }

  #parse(bytes: Uint8Array): PDFObject {
    try {
      return PDFObjectParser.forBytes(bytes, this.#context).parseObject();
    } catch {
      // A syntax error, or values nested too deeply.
      throw new RefusedPdf('damaged');
    }
  }

  #endOf(start: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) > start) high = middle;
      else low = middle + 1;
    }
    return this.#starts[low] ?? start;
  }
}

// "12 0 obj" precedes each object.
function afterNumber(object: Buffer): Buffer {
  const keyword = object.indexOf('obj');
  if (keyword < 0) throw new RefusedPdf('damaged');
  return object.subarray(keyword + 3);
}

/**
 * Reads the cross-reference table: "xref", then sections that start with their first object number and their length.
 */
function readTable(table: Buffer): { offsets: Float64Array; trailer: Buffer } {
  const sections: { first: number; entries: Buffer }[] = [];
  let at = table.indexOf('\n') + 1;
  let count = 0;
  for (;;) {
    const line = table.indexOf('\n', at) + 1;
    const heading = /^(\d+) (\d+)\s*$/.exec(table.toString('latin1', at, Math.max(at, line)));
    if (!heading) break;
    const [first, length] = [Number(heading[1]), Number(heading[2])];
    const entries = table.subarray(line, line + length * entryBytes);
    sections.push({ first, entries });
    at = line + entries.length;
    count = first + entries.length / entryBytes;
  }
  const keyword = 'trailer';
  if (table.toString('latin1', at, at + keyword.length) !== keyword) throw new RefusedPdf('damaged');
  const offsets = new Float64Array(count);
  for (const { first, entries } of sections)
    for (let entry = 0; entry * entryBytes < entries.length; entry += 1) {
      const row = entries.toString('latin1', entry * entryBytes, (entry + 1) * entryBytes);
      if (row[17] === 'n') offsets[first + entry] = Number(row.slice(0, 10));
    }
  return { offsets, trailer: table.subarray(at + keyword.length) };
}
