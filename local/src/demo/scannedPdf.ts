import PDFDocument from 'pdfkit';
import { scanPage, type WrittenPage } from './scannedPage.ts';

export interface ScannedPage extends WrittenPage {
  /** Whether the scanner stored the page lying on its side, and a reader turns it. */
  isSideways?: boolean;
}

const [width, height] = [595.28, 841.89];

/** A PDF as scanners write it: a picture for each page, and no text. The same for the same seed. */
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
    // Others send requests meanwhile.
    await new Promise(setImmediate);
  }
  document.end();
  return written;
}
