import type { ExportPersonPart, PersonFile, PersonRecord } from '@gradeway/proto/personal';

type Parts = AsyncGenerator<ExportPersonPart, void, void>;

/**
 * One service's stream, read in two steps: first its records, then its files. In between, the first file waits here and
 * its content waits in the service.
 */
export class PersonParts {
  readonly #parts: Parts;
  #next: ExportPersonPart | undefined;

  private constructor(parts: Parts, first: ExportPersonPart | undefined) {
    this.#parts = parts;
    this.#next = first;
  }

  /**
   * Waits for the first message.
   * @throws AppError `unavailable` if the service is unreachable
   */
  static async open(parts: Parts): Promise<PersonParts> {
    const { value } = await parts.next();
    return new PersonParts(parts, value ?? undefined);
  }

  async *records(): AsyncGenerator<PersonRecord> {
    for (; this.#next?.record; await this.#advance()) yield this.#next.record;
  }

  /** Yields the files. Read the content of each before requesting the next one. */
  async *files(): AsyncGenerator<PersonFile> {
    while (this.#next) {
      const { file } = this.#next;
      if (!file) throw new Error('ExportPerson sent a part that is not a file after its records');
      await this.#advance();
      yield file;
    }
  }

  /** Yields the content of the most recently returned file. */
  async *content(): AsyncGenerator<Buffer> {
    for (; this.#next?.chunk; await this.#advance()) yield this.#next.chunk;
  }

  async #advance(): Promise<void> {
    const { value } = await this.#parts.next();
    this.#next = value ?? undefined;
  }
}
