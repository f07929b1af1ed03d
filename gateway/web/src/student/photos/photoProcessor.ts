import type { Turn } from './crop.ts';
import type { PageSettings, PhotoResponse, PhotoTask, Preview } from './photoMessages.ts';

export interface PhotoPage {
  file: File;
  settings: PageSettings;
}

/** A photo that cannot become a page, because its format is not supported or it is damaged. */
export class UnreadablePhoto extends Error {
  readonly file: File;
  constructor(file: File, cause: unknown) {
    super('The photo cannot be read', { cause });
    this.file = file;
  }
}

/** Processes photos in a worker, so that the page stays responsive. */
export class PhotoProcessor {
  readonly #worker = new Worker(new URL('./photoWorker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #count = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<PhotoResponse>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.result);
    };
    this.#worker.onerror = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The worker has ended'));
      this.#waiting.clear();
    };
  }

  preview(file: File, turn: Turn): Promise<Preview> {
    return this.#ask({ do: 'preview', file, turn }) as Promise<Preview>;
  }

  /** Combines photos into one PDF. */
  async makePdf(pages: PhotoPage[], title: string, onPage: (done: number) => void): Promise<Blob> {
    await this.#ask({ do: 'begin' });
    for (const [index, { file, settings }] of pages.entries()) {
      await this.#ask({ do: 'photo', file, settings, photos: pages.length }).catch((error) => {
        throw new UnreadablePhoto(file, error);
      });
      onPage(index + 1);
    }
    return (await this.#ask({ do: 'finish', title })) as Blob;
  }

  close(): void {
    this.#worker.terminate();
  }

  #ask(task: PhotoTask): Promise<unknown> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, task });
    });
  }
}
