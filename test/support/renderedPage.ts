import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A picture of a page. Pixels are counted from the upper left, as readers see the page. */
export interface RenderedPage {
  width: number;
  height: number;
  /** Red, green and blue. */
  at(x: number, y: number): readonly [number, number, number];
}

/** The bounds of pixels, with exclusive ends. */
export interface PixelBounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Renders a page with Poppler's pdftoppm, which shares no code with PDFium. */
export async function renderWithPoppler(path: string, page = 1, dpi = 72): Promise<RenderedPage> {
  const options = ['-r', String(dpi), '-f', String(page), '-l', String(page), '-cropbox', path];
  const { stdout } = await run('pdftoppm', options, { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 });
  // P6, width, height and 255, then the pixels.
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.subarray(0, 64).toString('latin1'));
  const [whole = '', width = 0, height = 0] = header ?? [];
  return pageOf(stdout.subarray(whole.length), Number(width), Number(height), 3, [0, 1, 2]);
}

/** The text of a PDF as Poppler extracts it. */
export async function textOf(path: string, page?: number): Promise<string> {
  const range = page === undefined ? [] : ['-f', String(page), '-l', String(page)];
  const { stdout } = await run('pdftotext', ['-enc', 'UTF-8', ...range, path, '-']);
  return stdout;
}

export function pageOf(
  bytes: Uint8Array,
  width: number,
  height: number,
  pixelBytes: number,
  [red, green, blue]: readonly [number, number, number],
): RenderedPage {
  const at = (x: number, y: number) => {
    const start = (y * width + x) * pixelBytes;
    return [bytes[start + red] ?? 0, bytes[start + green] ?? 0, bytes[start + blue] ?? 0] as const;
  };
  return { width, height, at };
}

/** The bounds of all pixels that meet a condition; undefined if there are none. */
export function boundsOf(
  page: RenderedPage,
  holds: (color: readonly [number, number, number]) => boolean,
): PixelBounds | undefined {
  const bounds = { left: page.width, top: page.height, right: 0, bottom: 0 };
  for (let y = 0; y < page.height; y += 1)
    for (let x = 0; x < page.width; x += 1) {
      if (!holds(page.at(x, y))) continue;
      bounds.left = Math.min(bounds.left, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.right = Math.max(bounds.right, x + 1);
      bounds.bottom = Math.max(bounds.bottom, y + 1);
    }
  return bounds.right > bounds.left ? bounds : undefined;
}

export const isColored = ([red, green, blue]: readonly [number, number, number]): boolean =>
  Math.min(red, green, blue) < 230;
