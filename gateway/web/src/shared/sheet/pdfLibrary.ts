import type * as PdfLibrary from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

declare const __PDF_ASSETS__: string;

interface Opened {
  library: typeof PdfLibrary;
  worker: PdfLibrary.PDFWorker;
}

let opened: Promise<Opened> | undefined;

/** Loads pdf.js and the worker that all documents share, when the first sheet is opened. */
function openPdfLibrary(): Promise<Opened> {
  opened ??= import('pdfjs-dist').then((library) => {
    const port = new Worker(workerUrl, { type: 'module' });
    return { library, worker: new library.PDFWorker({ port } as never) };
  });
  return opened;
}

/**
 * Opens a document. Executes nothing in it: no scripts and no XFA forms. Current pdf.js no longer compiles fonts to
 * code.
 */
export async function openPdf(data: Uint8Array): Promise<PdfLibrary.PDFDocumentProxy> {
  const { library, worker } = await openPdfLibrary();
  const parameters = {
    data,
    worker,
    enableXfa: false,
    cMapUrl: `${__PDF_ASSETS__}cmaps/`,
    standardFontDataUrl: `${__PDF_ASSETS__}standard_fonts/`,
    wasmUrl: `${__PDF_ASSETS__}wasm/`,
    iccUrl: `${__PDF_ASSETS__}iccs/`,
    // With the device's fonts, a sheet would look different on each device.
    useSystemFonts: false,
    // Renders glyphs as paths: Chromium caches the fonts of closed documents (some 35 MB after 250 sheets), and
    // untrusted fonts do not reach the browser's font parser.
    disableFontFace: true,
    // Images from Chromium's decoder stay in shared memory after they are closed: 30 MB per sheet.
    isImageDecoderSupported: false,
    verbosity: library.VerbosityLevel.ERRORS,
  };
  return library.getDocument(parameters as Parameters<typeof library.getDocument>[0]).promise;
}
