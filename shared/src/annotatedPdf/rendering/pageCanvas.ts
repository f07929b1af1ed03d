import type { Pdfium } from '../../files/pdfium.ts';
import { type EmbeddedFont, embedFont } from '../text/embeddedFont.ts';
import type { FontFace } from '../text/fontFace.ts';
import type { FontSet } from '../text/fontSet.ts';
import { type Box, combine, identity, type Matrix, translate } from './geometry.ts';
import type { PageGeometry } from './marks.ts';
import { channels } from './palette.ts';
import { flattenAnnotations, isolateContent } from './pdfPages.ts';
import { RefusedPdf } from './refusedPdf.ts';
import type { PathShape, Shape, TextShape } from './shapes.ts';

const stamp = 13;
// PDFium rewrites all objects of a stamp for each object added to it.
const objectsPerStamp = 12;
const winding = 2;
const round = 1;

/**
 * Draws on pages. Shapes become stamp annotations, which are then flattened into the page. Adding objects to the page
 * directly would make PDFium regenerate its content and drop the elements that it does not support.
 *
 * A PDFium handle is an address in PDFium's memory; 0 means none.
 */
export class PageCanvas {
  readonly #pdfium: Pdfium;
  readonly #fonts: FontSet;
  readonly #handles = new Map<FontFace, number>();
  readonly #numbers: number;
  #document = 0;
  #embedded = 0;

  constructor(pdfium: Pdfium, fonts: FontSet) {
    this.#pdfium = pdfium;
    this.#fonts = fonts;
    // Scratch space for a rectangle or a matrix.
    this.#numbers = this.#allocate(24);
  }

  /** Embeds the fonts with the glyphs numbered so far, for the pages drawn next. */
  startDocument(document: number): void {
    this.#document = document;
    this.#handles.clear();
    for (const face of this.#fonts.used) {
      this.#handles.set(face, this.#embed(embedFont(face, this.#embedded)));
      this.#embedded += 1;
    }
  }

  /** Draws shapes above everything else on a loaded page. */
  draw(page: number, geometry: PageGeometry, shapes: readonly Shape[]): void {
    const { library } = this.#pdfium;
    this.#setNumbers(identity);
    isolateContent(library, page, this.#numbers);
    const objects = shapes.flatMap((shape) =>
      shape.kind === 'path' ? [this.#path(shape)] : this.#texts(shape),
    );
    for (let start = 0; start < objects.length; start += objectsPerStamp)
      this.#stamp(page, geometry.media, objects.slice(start, start + objectsPerStamp));
    flattenAnnotations(library, page, geometry);
  }

  #embed({ content, toUnicode, glyphs }: EmbeddedFont): number {
    const { library } = this.#pdfium;
    const [font, map] = [this.#copy(content), this.#copy(glyphs)];
    const handle = library.FPDFText_LoadCidType2Font(
      this.#document,
      font,
      content.length,
      toUnicode,
      map,
      glyphs.length,
    );
    for (const address of [font, map]) library.pdfium.wasmExports.free(address);
    if (handle === 0) throw new Error('PDFium refuses the font');
    return handle;
  }

  #stamp(page: number, { left, bottom, right, top }: Box, objects: readonly number[]): void {
    const { library } = this.#pdfium;
    const annotation = library.FPDFPage_CreateAnnot(page, stamp);
    this.#setNumbers([left, top, right, bottom]);
    const isPlaced = annotation !== 0 && library.FPDFAnnot_SetRect(annotation, this.#numbers);
    if (!isPlaced || !objects.every((object) => library.FPDFAnnot_AppendObject(annotation, object)))
      throw new RefusedPdf('damaged');
    library.FPDFPage_CloseAnnot(annotation);
  }

  #path({ steps, fill, stroke, multiplies, matrix }: PathShape & { matrix: Matrix }): number {
    const { library } = this.#pdfium;
    const start = steps[0];
    if (start?.[0] !== 'move') throw new Error('a path begins with a move');
    const path = library.FPDFPageObj_CreateNewPath(start[1], start[2]);
    for (const step of steps.slice(1))
      switch (step[0]) {
        case 'move':
          library.FPDFPath_MoveTo(path, step[1], step[2]);
          break;
        case 'line':
          library.FPDFPath_LineTo(path, step[1], step[2]);
          break;
        case 'curve':
          library.FPDFPath_BezierTo(path, step[1], step[2], step[3], step[4], step[5], step[6]);
          break;
        case 'close':
          library.FPDFPath_Close(path);
      }
    library.FPDFPath_SetDrawMode(path, fill ? winding : 0, Boolean(stroke));
    if (fill) library.FPDFPageObj_SetFillColor(path, ...rgba(fill));
    if (stroke) {
      library.FPDFPageObj_SetStrokeColor(path, ...rgba(stroke));
      library.FPDFPageObj_SetStrokeWidth(path, stroke.width);
      library.FPDFPageObj_SetLineCap(path, round);
      library.FPDFPageObj_SetLineJoin(path, round);
    }
    if (multiplies) library.FPDFPageObj_SetBlendMode(path, 'Multiply');
    this.#place(path, matrix);
    return path;
  }

  #texts({ runs, paint, matrix }: TextShape & { matrix: Matrix }): number[] {
    const { library } = this.#pdfium;
    return runs.map(({ face, size, x, y, numbers }) => {
      const text = library.FPDFPageObj_CreateTextObj(this.#document, this.#handles.get(face) ?? 0, size);
      const codes = this.#copy(new Uint8Array(Uint32Array.from(numbers).buffer));
      library.FPDFText_SetCharcodes(text, codes, numbers.length);
      library.pdfium.wasmExports.free(codes);
      library.FPDFPageObj_SetFillColor(text, ...rgba(paint));
      this.#place(text, combine(matrix, translate(x, y)));
      return text;
    });
  }

  #place(object: number, matrix: Matrix): void {
    this.#setNumbers(matrix);
    this.#pdfium.library.FPDFPageObj_SetMatrix(object, this.#numbers);
  }

  #setNumbers(numbers: readonly number[]): void {
    const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
    this.#pdfium.memory.at(this.#numbers, bytes.length).set(bytes);
  }

  #copy(bytes: Uint8Array): number {
    const address = this.#allocate(Math.max(1, bytes.length));
    this.#pdfium.memory.at(address, bytes.length).set(bytes);
    return address;
  }

  #allocate(bytes: number): number {
    const address = this.#pdfium.library.pdfium.wasmExports.malloc(bytes);
    if (address === 0) throw new Error('PDFium is out of memory');
    return address;
  }
}

const rgba = ({ color, opacity = 1 }: { color: string; opacity?: number }) =>
  [...channels(color), Math.round(opacity * 255)] as const;
