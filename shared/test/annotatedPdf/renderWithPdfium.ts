import { readFile } from 'node:fs/promises';
import { pageOf, type RenderedPage } from '@gradeway/test/renderedPage';
import { startPdfium } from '../../src/files/pdfium.ts';

const { library, memory } = await startPdfium(512 * 1024 * 1024);
const withAnnotations = 1;
const bgrx = 3;

/** Renders a page at 72 dots per inch. */
export async function renderWithPdfium(path: string, page = 1): Promise<RenderedPage> {
  const content = await readFile(path);
  const { malloc, free } = library.pdfium.wasmExports;
  const address = malloc(content.length);
  memory.at(address, content.length).set(content);
  const document = library.FPDF_LoadMemDocument(address, content.length, '');
  const loaded = library.FPDF_LoadPage(document, page - 1);
  const width = Math.round(library.FPDF_GetPageWidthF(loaded));
  const height = Math.round(library.FPDF_GetPageHeightF(loaded));
  const bitmap = library.FPDFBitmap_CreateEx(width, height, bgrx, 0, 0);
  library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  library.FPDF_RenderPageBitmap(bitmap, loaded, 0, 0, width, height, 0, withAnnotations);
  const pixels = memory.at(library.FPDFBitmap_GetBuffer(bitmap), width * height * 4).slice();
  library.FPDFBitmap_Destroy(bitmap);
  library.FPDF_ClosePage(loaded);
  library.FPDF_CloseDocument(document);
  free(address);
  return pageOf(pixels, width, height, 4, [2, 1, 0]);
}
