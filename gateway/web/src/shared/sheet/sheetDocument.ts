import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { readError } from '../api/apiError.ts';
import { filePath } from '../api/filePath.ts';
import { type Rect, sizeOf, type Turn, turned, type VisibleBox } from './pageCoordinates.ts';
import { type PageOrigins, readOrigins, searchOrigins } from './pageOrigins.ts';
import { openPdf } from './pdfLibrary.ts';
import { RenderQueue, type Urgency } from './renderQueue.ts';
import { type PendingRender, SharedRenders } from './sharedRenders.ts';

export interface SheetPageInfo {
  box: VisibleBox;
  /** The rotation with which the page is displayed. */
  turn: Turn;
}

/** A file to display, by its signed URL. */
interface SheetFile {
  url: string;
}

/** How a page is displayed. */
export interface View {
  /** CSS pixels per point. */
  scale: number;
  /** In addition to the page's own rotation. */
  turn: Turn;
}

/** A text that a page does not show, at the position of its icon, in mark coordinates. */
export interface SheetNote {
  text: string;
  rect: Rect;
}

/** Annotations whose text is visible on the page or is not a note. */
const shownOnPage = new Set(['FreeText', 'Widget', 'Link', 'Popup']);

/** Shared by all documents, because they share one worker. */
const queue = new RenderQueue();
const maxCanvases = 4;
/** Some browsers reject larger canvases, which would also use too much memory. */
const maxPixels = 12_000_000;

const keyOf = (page: number, { scale, turn }: View) => `${page} ${scale.toFixed(3)} ${turn}`;

/** An open file of a submission, with its most recently rendered pages. */
export class SheetDocument {
  readonly pageCount: number;
  readonly #document: PDFDocumentProxy;
  readonly #origins: PageOrigins;
  readonly #infos = new Map<number, SheetPageInfo>();
  readonly #canvases = new Map<string, HTMLCanvasElement>();
  readonly #renders = new SharedRenders(queue);
  #isClosed = false;

  private constructor(document: PDFDocumentProxy, origins: PageOrigins) {
    this.#document = document;
    this.#origins = origins;
    this.pageCount = document.numPages;
  }

  /** Reads a file in a single request: a large scan would take hundreds of range requests. */
  static async open(file: SheetFile, signal: AbortSignal): Promise<SheetDocument> {
    const response = await fetch(filePath(file.url), { signal });
    if (!response.ok) throw await readError(response);
    return SheetDocument.read(new Uint8Array(await response.arrayBuffer()));
  }

  /** Opens a file that is already in memory. Takes ownership of its bytes. */
  static async read(bytes: Uint8Array): Promise<SheetDocument> {
    // Runs before pdf.js transfers the bytes to its worker.
    const searched = await searchOrigins(bytes);
    const document = await openPdf(bytes);
    try {
      const opened = new SheetDocument(document, searched ?? (await readOrigins(await document.getData())));
      await opened.readPage(1);
      return opened;
    } catch (error) {
      // Otherwise the worker would keep its copy of the file.
      void document.loadingTask.destroy();
      throw error;
    }
  }

  /** Returns the size and rotation of a page. A page that has not been read is assumed to match the first. */
  info(page: number): SheetPageInfo {
    const info = this.#infos.get(page) ?? this.#infos.get(1);
    if (!info) throw new Error('The first page is read when the document is opened');
    return info;
  }

  async readPage(page: number): Promise<PDFPageProxy> {
    const proxy = await this.#document.getPage(page);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = proxy.view;
    const [originX, originY] = this.#origins(page);
    const box = { left: x0 - originX, bottom: y0 - originY, width: x1 - x0, height: y1 - y0 };
    this.#infos.set(page, { box, turn: turned(proxy.rotate as Turn, 0) });
    return proxy;
  }

  /** Returns the notes and other annotations of a page that show their text only when they are opened. */
  async notes(page: number): Promise<SheetNote[]> {
    const annotations = await (await this.readPage(page)).getAnnotations();
    const [originX, originY] = this.#origins(page);
    return annotations.flatMap(({ subtype, contentsObj, rect: [x0, y0, x1, y1] }): SheetNote[] => {
      const text: string = contentsObj?.str?.trim() ?? '';
      if (text === '' || shownOnPage.has(subtype)) return [];
      return [{ text, rect: [x0 - originX, y0 - originY, x1 - x0, y1 - y0] }];
    });
  }

  /** Returns the page if it is already rendered with this view. */
  rendered(page: number, view: View): HTMLCanvasElement | undefined {
    return this.#canvases.get(keyOf(page, view));
  }

  /** Renders a page once nothing more urgent is waiting. */
  render(page: number, view: View, urgency: Urgency = 'shown'): PendingRender {
    const key = keyOf(page, view);
    return this.#renders.render(key, urgency, async (signal) => {
      const canvas = await this.#paint(page, view, signal);
      this.#remember(key, canvas);
      return canvas;
    });
  }

  async #paint(page: number, view: View, signal: AbortSignal): Promise<HTMLCanvasElement> {
    const proxy = await this.readPage(page);
    signal.throwIfAborted();
    const viewport = proxy.getViewport({
      scale: view.scale,
      rotation: turned(proxy.rotate as Turn, view.turn),
    });
    const maxDensity = Math.sqrt(maxPixels / (viewport.width * viewport.height));
    const density = Math.min(window.devicePixelRatio, maxDensity);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width * density);
    canvas.height = Math.round(viewport.height * density);
    const task = proxy.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
    signal.addEventListener('abort', () => task.cancel());
    await task.promise;
    // The decoded images of a scan are larger than its canvas and no longer needed.
    proxy.cleanup();
    return canvas;
  }

  #remember(key: string, canvas: HTMLCanvasElement): void {
    if (this.#isClosed) {
      free(canvas);
      return;
    }
    this.#canvases.set(key, canvas);
    for (const [other, old] of this.#canvases) {
      if (this.#canvases.size <= maxCanvases) break;
      if (old.isConnected || other === key) continue;
      this.#canvases.delete(other);
      free(old);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#renders.cancelAll();
    for (const canvas of this.#canvases.values()) free(canvas);
    this.#canvases.clear();
    void this.#document.loadingTask.destroy();
  }
}

/** Frees the memory immediately: garbage collection may take a long time. */
function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

/** Returns the size of a page on the screen. */
export function pageSize({ box, turn }: SheetPageInfo, view: View): { width: number; height: number } {
  const { width, height } = sizeOf(box, turned(turn, view.turn));
  return { width: width * view.scale, height: height * view.scale };
}
