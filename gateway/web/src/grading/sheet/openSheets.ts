import { SheetDocument } from '../../shared/sheet/sheetDocument.ts';
import type { GradingFile } from '../queue/gradingTypes.ts';

interface Entry {
  controller: AbortController;
  opening: Promise<SheetDocument>;
  opened: SheetDocument | undefined;
}

// Signed URLs differ in each response, but the contents of a file never change.
const keyOf = ({ id, sha256 }: GradingFile) => `${id} ${sha256}`;

/** The open files: those of the visible sheet and those prepared for the next ones. */
class OpenSheets {
  readonly #entries = new Map<string, Entry>();

  open(file: GradingFile): Promise<SheetDocument> {
    const key = keyOf(file);
    const known = this.#entries.get(key);
    if (known) return known.opening;
    const controller = new AbortController();
    const entry: Entry = {
      controller,
      opening: SheetDocument.open(file, controller.signal),
      opened: undefined,
    };
    this.#entries.set(key, entry);
    entry.opening.then(
      (opened) => {
        entry.opened = opened;
        if (this.#entries.get(key) !== entry) opened.close();
      },
      // The next call opens a failed file again.
      () => this.#entries.get(key) === entry && this.#entries.delete(key),
    );
    return entry.opening;
  }

  /** Returns a file that can be displayed immediately. */
  opened(file: GradingFile): SheetDocument | undefined {
    return this.#entries.get(keyOf(file))?.opened;
  }

  /** Closes all other files, so that memory use does not grow with each sheet. */
  keepOnly(files: GradingFile[]): void {
    const kept = new Set(files.map(keyOf));
    for (const [key, entry] of this.#entries) {
      if (kept.has(key)) continue;
      this.#entries.delete(key);
      entry.controller.abort();
      entry.opened?.close();
    }
  }
}

export const openSheets = new OpenSheets();
