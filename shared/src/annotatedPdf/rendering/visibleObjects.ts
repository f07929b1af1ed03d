import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef } from './pdfObjects.ts';
import { RefusedPdf } from './refusedPdf.ts';
import type { SavedPdf } from './savedPdf.ts';
import type { WrittenPdf } from './writtenPdf.ts';

/** The visible entries of a page. Its annotations have already been flattened into the content. */
const ofPage = ['UserUnit', 'Contents', 'Group'];
const inherited = ['MediaBox', 'CropBox', 'Rotate'];
const deepestTree = 100;

/** Objects that can have an effect beyond the page, or that belong to the source document. */
const foreignTypes = new Set([
  ...['Action', 'Annot', 'Catalog', 'EmbeddedFile', 'Filespec', 'Outlines', 'Page', 'Pages', 'Sig'],
  ...['StructElem', 'StructTreeRoot', 'Metadata'],
]);
const actions = new Set([
  ...['GoToR', 'GoToE', 'Launch', 'URI', 'SubmitForm', 'ResetForm', 'ImportData', 'JavaScript', 'Rendition'],
  ...['Movie', 'Sound', 'Named', 'Hide', 'SetOCGState', 'Trans', 'Thread', 'GoTo3DView', 'RichMediaExecute'],
]);
/** Entries of a stream that point to bytes outside the file, or attach something. */
const foreignToStreams = new Set([
  ...['F', 'FFilter', 'FDecodeParms', 'AF', 'Metadata', 'PieceInfo', 'Ref', 'OPI', 'PS', 'Alternates'],
  ...['StructParent', 'StructParents'],
]);

/**
 * Copies the objects that make up pages to another PDF. Omits unreferenced objects, and referenced objects that are not
 * visible, such as actions and attachments.
 */
export class VisibleObjects {
  readonly #source: SavedPdf;
  readonly #target: WrittenPdf;
  readonly #copies = new Map<number, PDFRef>();
  readonly #waiting: { number: number; copy: PDFRef }[] = [];

  constructor(source: SavedPdf, target: WrittenPdf) {
    this.#source = source;
    this.#target = target;
  }

  /** Copies a page and makes its inherited entries explicit. @throws RefusedPdf */
  page(number: number, parent: PDFRef): PDFRef {
    const page = this.resolve(PDFRef.of(number));
    if (!(page instanceof PDFDict)) throw new RefusedPdf('damaged');
    const levels = this.#levelsOf(page);
    const copy = this.#target.context.obj({ Type: 'Page', Parent: parent });
    const add = (key: string, value: PDFObject | undefined) =>
      value && copy.set(PDFName.of(key), this.copy(value));
    for (const key of ofPage) add(key, entry(page, key));
    for (const key of inherited) add(key, valuesOf(levels, key)[0]);
    add('Resources', this.#merged(valuesOf(levels, 'Resources')));
    const ref = this.#target.reserve();
    this.#target.write(ref, copy);
    this.#copyReferred();
    return ref;
  }

  /** Copies a value with all objects that it refers to. */
  copyWhole(value: PDFObject): PDFObject {
    const copy = this.copy(value);
    this.#copyReferred();
    return copy;
  }

  /** Resolves a reference. Returns other values unchanged. */
  resolve(value: PDFObject | undefined): PDFObject | undefined {
    return value instanceof PDFRef ? this.#source.read(value.objectNumber)?.value : value;
  }

  copy(value: PDFObject): PDFObject {
    if (value instanceof PDFRef) return this.#refer(value.objectNumber);
    if (value instanceof PDFDict) return isForeign(value) ? PDFNull : this.#dictionary(value);
    if (!(value instanceof PDFArray)) return value;
    const copy = PDFArray.withContext(this.#target.context);
    for (const element of value.asArray()) copy.push(this.copy(element));
    return copy;
  }

  #dictionary(value: PDFDict, leftOut: ReadonlySet<string> = new Set()): PDFDict {
    const copy = PDFDict.withContext(this.#target.context);
    for (const [key, each] of value.entries())
      if (!leftOut.has(key.decodeText())) copy.set(key, this.copy(each));
    return copy;
  }

  #refer(number: number): PDFRef {
    const known = this.#copies.get(number);
    if (known) return known;
    const copy = this.#target.reserve();
    this.#copies.set(number, copy);
    this.#waiting.push({ number, copy });
    return copy;
  }

  #copyReferred(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop())
      this.#write(next.number, next.copy);
  }

  #write(number: number, copy: PDFRef): void {
    const { value, stream } = this.#source.read(number) ?? { value: PDFNull };
    if (!stream || !(value instanceof PDFDict) || isForeign(value)) {
      this.#target.write(copy, this.copy(value));
      return;
    }
    const dictionary = this.#dictionary(value, foreignToStreams);
    dictionary.set(PDFName.of('Length'), PDFNumber.of(stream.bytes));
    this.#target.write(copy, dictionary, { source: this.#source, ...stream });
  }

  /** Returns the page and the tree nodes that it inherits from. */
  #levelsOf(page: PDFDict): PDFDict[] {
    const levels: PDFDict[] = [];
    let node: PDFObject | undefined = page;
    while (node instanceof PDFDict && levels.length < deepestTree) {
      levels.push(node);
      node = this.resolve(entry(node, 'Parent'));
    }
    return levels;
  }

  // When PDFium draws on a page that inherits its resources, it adds resources to the page itself, which hide the
  // inherited ones.
  #merged(levels: PDFObject[]): PDFObject | undefined {
    if (levels.length < 2) return levels[0];
    const merged = PDFDict.withContext(this.#target.context);
    for (const level of levels.map((each) => this.resolve(each)))
      for (const [category, value] of level instanceof PDFDict ? level.entries() : []) {
        const [nearer, farther] = [merged.get(category), this.resolve(value)];
        if (!nearer && farther) merged.set(category, farther instanceof PDFDict ? farther.clone() : value);
        if (!(nearer instanceof PDFDict && farther instanceof PDFDict)) continue;
        for (const [name, resource] of farther.entries()) if (!nearer.has(name)) nearer.set(name, resource);
      }
    return merged;
  }
}

const valuesOf = (levels: PDFDict[], key: string): PDFObject[] =>
  levels.map((level) => entry(level, key)).filter((value) => value !== undefined);

/** Returns an entry of a dictionary without resolving references. */
export const entry = (dictionary: PDFDict, key: string): PDFObject | undefined =>
  dictionary.get(PDFName.of(key));

function isForeign(dictionary: PDFDict): boolean {
  const [type, kind] = [entry(dictionary, 'Type'), entry(dictionary, 'S')];
  if (type instanceof PDFName && foreignTypes.has(type.decodeText())) return true;
  return kind instanceof PDFName && actions.has(kind.decodeText());
}
