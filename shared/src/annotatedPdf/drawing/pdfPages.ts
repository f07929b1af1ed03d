import type { Pdfium, PdfiumLibrary } from '../../files/pdfium.ts';
import { type Box, intersection, type Rotation } from './geometry.ts';
import type { PageGeometry } from './marks.ts';
import { RefusedPdf } from './pdfFiles.ts';

const boxes = { media: 0, crop: 1 } as const;
const popup = 16;
const link = 2;
const normalDisplay = 0;

/** How a page is placed and shown. It is not loaded for that. */
export function geometryOf(pdfium: Pdfium, document: number, index: number): PageGeometry {
  const media = boxOf(pdfium, document, index, boxes.media);
  const crop = boxOf(pdfium, document, index, boxes.crop);
  if (!media) throw new RefusedPdf('damaged');
  const rotation = pdfium.library.EPDF_GetPageRotationByIndex(document, index);
  return {
    media,
    visible: (crop && intersection(media, crop)) ?? media,
    rotation: (((rotation % 4) + 4) % 4) as Rotation,
  };
}

function boxOf({ library, memory }: Pdfium, document: number, index: number, kind: number): Box | undefined {
  const { malloc, free } = library.pdfium.wasmExports;
  const address = malloc(16);
  try {
    if (!library.EPDF_GetPageBoxByIndex(document, index, kind, address)) return undefined;
    const bytes = memory.at(address, 16).slice();
    const [a = 0, b = 0, c = 0, d = 0] = new Float32Array(bytes.buffer);
    return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
  } finally {
    free(address);
  }
}

/**
 * Makes what a student has drawn as annotations part of the page: annotations are shown above the page, so that they would
 * cover marks.
 */
export function flattenAnnotations(library: PdfiumLibrary, document: number, index: number): void {
  const page = library.FPDF_LoadPage(document, index);
  if (page === 0) throw new RefusedPdf('damaged');
  const count = library.FPDFPage_GetAnnotCount(page);
  let covers = false;
  for (let at = 0; at < count && !covers; at += 1) {
    const annotation = library.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    covers = ![link, popup].includes(library.FPDFAnnot_GetSubtype(annotation));
    library.FPDFPage_CloseAnnot(annotation);
  }
  if (covers) library.FPDFPage_Flatten(page, normalDisplay);
  library.FPDF_ClosePage(page);
}
