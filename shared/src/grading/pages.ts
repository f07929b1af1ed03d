import { FileMissingError } from '../files/fileStore.ts';
import type { PageSize } from '../files/pdfEngine.ts';
import type { PdfMeasurer } from '../files/pdfMeasurer.ts';
import type { Logger } from '../process/logger.ts';
import type { DetailFile, DetailRepository } from './detailRepository.ts';

interface Dependencies {
  details: Pick<DetailRepository, 'storePages'>;
  measurer: PdfMeasurer;
  log: Logger;
}

type Measured<File extends DetailFile> = File & { sizes: PageSize[] };

/** The page sizes of submitted files. They are measured when first needed, and then stored. */
export class Pages {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the files with the sizes of their pages. A file whose bytes the store has lost has no pages.
   * @throws AppError `unavailable` when a file cannot be measured for a reason other than the file
   */
  measured<File extends DetailFile>(files: File[], userId: number): Promise<Measured<File>[]> {
    return Promise.all(
      files.map(async (file) => ({ ...file, sizes: file.sizes ?? (await this.#measure(file, userId)) })),
    );
  }

  async #measure(file: DetailFile, userId: number): Promise<PageSize[]> {
    const { details, measurer, log } = this.#dependencies;
    try {
      const sizes = await measurer.measure(file, userId);
      await details.storePages(file.id, sizes);
      return sizes;
    } catch (error) {
      if (!(error instanceof FileMissingError)) throw error;
      log.warn({ file_id: file.id }, 'could not count the pages of a file: it is missing from the store');
      return [];
    }
  }
}
