import type * as PdfLibrary from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

declare const __PDF_ASSETS__: string;

interface Opened {
  library: typeof PdfLibrary;
  worker: PdfLibrary.PDFWorker;
}

let opened: Promise<Opened> | undefined;

/** pdf.js and its worker, which all documents share. Loaded when the first sheet is opened. */
function openPdfLibrary(): Promise<Opened> {
  opened ??= import('pdfjs-dist').then((library) => {
    const port = new Worker(workerUrl, { type: 'module' });
    return { library, worker: new library.PDFWorker({ port } as never) };
  });
  return opened;
}

/** Opens a document. Nothing in it is run: no scripts and no XFA forms, and pdf.js no longer makes code of fonts. */
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
    // Fonts of the device would make a sheet look different on each.
    useSystemFonts: false,
    // Glyphs are filled as paths: Chromium caches the fonts of closed documents (some 35 MB after 250 sheets), and fonts of
    // strangers do not reach the browser's font parser.
    disableFontFace: true,
    // The pictures that Chromium's decoder makes stay in shared memory after they were closed: 30 MB with each sheet.
    isImageDecoderSupported: false,
    verbosity: library.VerbosityLevel.ERRORS,
  };
  return library.getDocument(parameters as Parameters<typeof library.getDocument>[0]).promise;
}
