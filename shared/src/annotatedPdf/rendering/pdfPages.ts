import type { Pdfium, PdfiumLibrary } from '../../files/pdfium.ts';
import { type Box, intersection, type Rotation } from './geometry.ts';
import type { PageGeometry } from './marks.ts';
import { RefusedPdf } from './refusedPdf.ts';

const boxes = { media: 0, crop: 1 } as const;
// Annotation subtypes.
const kinds = { link: 2, popup: 16, widget: 20 } as const;
const normalAppearance = 0;
const flattening = { forDisplay: 0, failed: 0 } as const;

/** Returns the boxes and rotation of a page without loading it. */
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

/** Loads a page, runs `use` and closes the page. */
export function withPage(
  { library }: Pdfium,
  document: number,
  index: number,
  use: (page: number) => void,
): void {
  const page = library.FPDF_LoadPage(document, index);
  if (page === 0) throw new RefusedPdf('damaged');
  use(page);
  library.FPDF_ClosePage(page);
}

// Page content can save graphics states without restoring them. Up to one fewer than this many are restored.
const savedStates = 4;
const noClip = 0;

/**
 * Isolates later additions from graphics state that the content leaves behind, such as changed coordinates.
 * @param identity address of an identity matrix
 */
export function isolateContent(library: PdfiumLibrary, page: number, identity: number): void {
  // Each call saves a state before the content and restores one after it.
  for (let count = 0; count < savedStates; count += 1)
    library.FPDFPage_TransFormWithClip(page, identity, noClip);
}

/** Counts the annotations of a page without loading it. */
export const countAnnotations = ({ library }: Pdfium, document: number, index: number): number =>
  library.EPDFPage_GetAnnotCountRaw(document, index);

// Generates missing appearances, as viewers do for annotations and form values.
function completeAnnotations(library: PdfiumLibrary, page: number): void {
  const count = library.FPDFPage_GetAnnotCount(page);
  for (let at = 0; at < count; at += 1) {
    const annotation = library.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const kind = library.FPDFAnnot_GetSubtype(annotation);
    const isShown = kind !== kinds.link && kind !== kinds.popup;
    if (isShown && !library.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance))
      if (kind === kinds.widget) library.EPDFAnnot_GenerateFormFieldAP(annotation);
      else library.EPDFAnnot_GenerateAppearance(annotation);
    library.FPDFPage_CloseAnnot(annotation);
  }
}

/** Flattens annotations into the page as viewers show them: in order, above the content, which does not change. */
export function flattenAnnotations(library: PdfiumLibrary, page: number, geometry: PageGeometry): void {
  completeAnnotations(library, page);
  // PDFium ignores boxes that the page inherits.
  setBoxes(library, page, geometry);
  if (library.FPDFPage_Flatten(page, flattening.forDisplay) === flattening.failed)
    throw new RefusedPdf('damaged');
  // Flattening has cropped the page to its visible area.
  setBoxes(library, page, geometry);
}

function setBoxes(library: PdfiumLibrary, page: number, { media, visible }: PageGeometry): void {
  library.FPDFPage_SetMediaBox(page, media.left, media.bottom, media.right, media.top);
  library.FPDFPage_SetCropBox(page, visible.left, visible.bottom, visible.right, visible.top);
}
