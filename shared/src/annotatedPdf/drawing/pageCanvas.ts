import type { Pdfium } from '../../files/pdfium.ts';
import type { EmbeddedFont } from '../text/embeddedFont.ts';
import type { FontFace } from '../text/fontFace.ts';
import { combine, type Matrix, translate } from './geometry.ts';
import { channels } from './palette.ts';
import { RefusedPdf } from './pdfFiles.ts';
import type { PathShape, Shape, TextShape } from './shapes.ts';

const winding = 2;
const round = 1;

/** Draws on the pages of one document. A handle of PDFium is an address in its memory, 0 for none. */
export class PageCanvas {
  readonly #pdfium: Pdfium;
  readonly #document: number;
  readonly #fonts = new Map<FontFace, number>();
  readonly #matrix: number;

  /** Adds the fonts to the document. */
  constructor(
    pdfium: Pdfium,
    document: number,
    fonts: Iterable<readonly [face: FontFace, font: EmbeddedFont]>,
  ) {
    this.#pdfium = pdfium;
    this.#document = document;
    this.#matrix = this.#allocate(24);
    for (const [face, font] of fonts) this.#embed(face, font);
  }

  #embed(face: FontFace, { content, toUnicode, glyphs }: EmbeddedFont): void {
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
    this.#fonts.set(face, handle);
  }

  /** Adds shapes above everything else on a loaded page. */
  draw(page: number, shapes: readonly Shape[]): void {
    for (const shape of shapes)
      if (shape.kind === 'path') this.#drawPath(page, shape);
      else this.#drawText(page, shape);
    if (!this.#pdfium.library.FPDFPage_GenerateContent(page)) throw new RefusedPdf('damaged');
  }

  #drawPath(page: number, { steps, fill, stroke, multiplies, matrix }: PathShape & { matrix: Matrix }): void {
    const { library } = this.#pdfium;
    const start = steps[0];
    if (start?.[0] !== 'move') return;
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
    this.#insert(page, path, matrix);
  }

  #drawText(page: number, { runs, paint, matrix }: TextShape & { matrix: Matrix }): void {
    const { library } = this.#pdfium;
    for (const { face, size, x, y, numbers } of runs) {
      const text = library.FPDFPageObj_CreateTextObj(this.#document, this.#fonts.get(face) ?? 0, size);
      const codes = this.#copy(new Uint8Array(Uint32Array.from(numbers).buffer));
      library.FPDFText_SetCharcodes(text, codes, numbers.length);
      library.pdfium.wasmExports.free(codes);
      library.FPDFPageObj_SetFillColor(text, ...rgba(paint));
      this.#insert(page, text, combine(matrix, translate(x, y)));
    }
  }

  #insert(page: number, object: number, matrix: Matrix): void {
    const { library, memory } = this.#pdfium;
    memory.at(this.#matrix, 24).set(new Uint8Array(Float32Array.from(matrix).buffer));
    library.FPDFPageObj_SetMatrix(object, this.#matrix);
    library.FPDFPage_InsertObject(page, object);
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
