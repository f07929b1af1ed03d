import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject } from './pdfObjects.ts';
import type { SavedPdf } from './savedPdf.ts';
import { entry, type VisibleObjects } from './visibleObjects.ts';

const lists = ['Order', 'RBGroups', 'Locked', 'AS'] as const;

/** Merges the layers (optional content) of several PDFs into one, each with its initial visibility. */
export class Layers {
  readonly #groups: PDFObject[] = [];
  readonly #hidden: PDFObject[] = [];
  readonly #lists = new Map<string, PDFObject[]>(lists.map((key) => [key, []]));

  /** Adds the layers of a PDF whose pages `objects` has copied. */
  add(source: SavedPdf, objects: VisibleObjects): void {
    const dictionary = (value: PDFObject | undefined, key: string): PDFDict | undefined => {
      const found = value instanceof PDFDict ? objects.resolve(entry(value, key)) : undefined;
      return found instanceof PDFDict ? found : undefined;
    };
    const properties = dictionary(dictionary(source.trailer, 'Root'), 'OCProperties');
    const initial = dictionary(properties, 'D');
    const list = (owner: PDFDict | undefined, key: string): PDFObject[] => {
      const found = owner && objects.resolve(entry(owner, key));
      return found instanceof PDFArray ? found.asArray() : [];
    };
    const copied = (values: PDFObject[]) => values.map((value) => objects.copyWhole(value));
    const groups = list(properties, 'OCGs');
    if (groups.length === 0) return;
    const shown = new Set(list(initial, 'ON'));
    const isHiddenAtFirst = initial && entry(initial, 'BaseState') === PDFName.of('OFF');
    const hidden = isHiddenAtFirst ? groups.filter((group) => !shown.has(group)) : list(initial, 'OFF');
    this.#groups.push(...copied(groups));
    this.#hidden.push(...copied(hidden));
    for (const [key, values] of this.#lists) values.push(...copied(list(initial, key)));
  }

  /** Returns the catalog entry; undefined without layers. */
  properties(context: PDFContext): PDFDict | undefined {
    if (this.#groups.length === 0) return undefined;
    const initial = { OFF: this.#hidden, ...Object.fromEntries(this.#lists) };
    return context.obj({ OCGs: this.#groups, D: initial });
  }
}
