import PDFDocument from 'pdfkit';
import type { Browser } from 'playwright-core';

/** A4 at 200 dots per inch, as scanners and phone apps produce it. */
const [width, height] = [1654, 2339];
const points = { width: 595, height: 842 };

/** Photographed pages as JPEGs of about `bytes` each: handwriting on grainy paper. */
export async function photographPages(browser: Browser, count: number, bytes: number): Promise<Buffer[]> {
  const page = await browser.newPage();
  const pages: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const encoded = await page.evaluate(drawPage, { width, height, bytes });
    pages.push(Buffer.from(encoded, 'base64'));
  }
  await page.close();
  return pages;
}

/** A PDF of these pages. The title distinguishes files that show the same pages. */
export function scanOf(pages: Buffer[], title: string): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const content = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  for (const page of pages) {
    document.addPage({ size: [points.width, points.height], margin: 0 });
    document.image(page, 0, 0, { width: points.width, height: points.height });
    document.fontSize(14).text(title, 40, 30);
  }
  document.end();
  return content;
}

/** Runs in the browser. */
async function drawPage({ width, height, bytes }: { width: number; height: number; bytes: number }) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  const image = context.createImageData(width, height);
  for (let at = 0; at < image.data.length; at += 4) {
    const grain = 225 + Math.random() * 25;
    image.data.set([grain, grain - 4, grain - 12, 255], at);
  }
  context.putImageData(image, 0, 0);
  context.strokeStyle = '#223a6b';
  context.lineWidth = 4;
  for (let y = 300; y < height - 200; y += 90) {
    context.beginPath();
    for (let x = 150; x < width - 150; x += 9)
      context.lineTo(x, y + Math.sin(x / 11) * 22 * Math.random() - Math.random() * 8);
    context.stroke();
  }
  // Chooses the quality whose size is nearest to the requested one.
  let best = new Blob();
  for (let quality = 0.95; quality > 0.3; quality -= 0.05) {
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (Math.abs(blob.size - bytes) < Math.abs(best.size - bytes)) best = blob;
  }
  const content = new Uint8Array(await best.arrayBuffer());
  let text = '';
  for (let at = 0; at < content.length; at += 32_768)
    text += String.fromCharCode(...content.subarray(at, at + 32_768));
  return btoa(text);
}
