import type { Pdfium, PdfiumLibrary } from '../../files/pdfium.ts';
import { type Box, intersection, type Rotation } from './geometry.ts';
import type { PageGeometry } from './marks.ts';
import { RefusedPdf } from './pdfFiles.ts';

const boxes = { media: 0, crop: 1 } as const;
// Of annotations.
const withoutMark = { link: 2, popup: 16 } as const;
const flags = { hidden: 2, noView: 32 } as const;
const normalAppearance = 0;

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
 * Makes what a student has drawn as annotations part of a loaded page, whose content must be generated afterwards: annotations
 * are shown above the page, so that they would cover marks.
 */
export function flattenAnnotations(library: PdfiumLibrary, page: number): void {
  for (let at = 0; at < library.FPDFPage_GetAnnotCount(page); ) {
    const annotation = library.FPDFPage_GetAnnot(page, at);
    const isFlattened = annotation !== 0 && flatten(library, page, annotation);
    if (annotation !== 0) library.FPDFPage_CloseAnnot(annotation);
    // The page has lost it, so the next one is at its place.
    if (!isFlattened) at += 1;
  }
}

function flatten(library: PdfiumLibrary, page: number, annotation: number): boolean {
  const kind = library.FPDFAnnot_GetSubtype(annotation);
  if (kind === withoutMark.link || kind === withoutMark.popup) return false;
  if ((library.FPDFAnnot_GetFlags(annotation) & (flags.hidden | flags.noView)) !== 0) return false;
  const hasAppearance =
    library.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance) ||
    library.EPDFAnnot_GenerateAppearance(annotation);
  return hasAppearance && library.EPDFAnnot_Flatten(page, annotation);
}
