import PDFDocument from 'pdfkit';
import { scanPage, type WrittenPage } from './scannedPage.ts';

export interface ScannedPage extends WrittenPage {
  /** Whether the scanner stored the page on its side, with a rotation for readers. */
  isSideways?: boolean;
}

const [width, height] = [595.28, 841.89];

/** Creates a PDF like a scanner's: one picture per page, and no text. The result is the same for the same seed. */
export async function scannedPdf(pages: readonly ScannedPage[], seed: number): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  for (const [index, page] of pages.entries()) {
    const picture = scanPage(page, seed * 100 + index);
    document.addPage({ size: 'A4', margin: 0, layout: page.isSideways ? 'landscape' : 'portrait' });
    if (page.isSideways) {
      Object.assign(document.page.dictionary.data, { Rotate: 90 });
      document.translate(0, width).rotate(-90);
    }
    document.image(picture, 0, 0, { width, height });
    // Lets other requests proceed between pages.
    await new Promise(setImmediate);
  }
  document.end();
  return written;
}
