/** Most memory of all sources and JSON texts that are kept, in bytes. */
const defaultMostBytes = 32_000_000;

interface Kept {
  source: string;
  json: Buffer;
}

/**
 * Keeps JSON that is written from texts of the database, one text for each id, such as the submissions of each quiz. It is
 * returned again only for an identical text and under the same conditions, so it is never outdated: a list is read from the
 * database as before, and only parts of it that have not changed are not written again.
 */
export class KeptJson {
  readonly #mostBytes: number;
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;
  #conditions = '';

  constructor(mostBytes = defaultMostBytes) {
    this.#mostBytes = mostBytes;
  }

  /**
   * The JSON that `write` returns for `source`.
   * @param conditions everything else that the JSON depends on. All kept JSON is dropped when they change.
   */
  of(id: number, source: string, conditions: string, write: (source: string) => string): Buffer {
    if (conditions !== this.#conditions) this.#clear(conditions);
    const before = this.#kept.get(id);
    if (before?.source === source) return before.json;
    const next = { source, json: ownBuffer(write(source)) };
    this.#keep(id, next, before);
    return next.json;
  }

  #keep(id: number, next: Kept, before: Kept | undefined): void {
    this.#bytes += bytesOf(next) - (before ? bytesOf(before) : 0);
    this.#kept.set(id, next);
    if (this.#bytes > this.#mostBytes) this.#clear(this.#conditions);
  }

  #clear(conditions: string): void {
    this.#kept.clear();
    this.#bytes = 0;
    this.#conditions = conditions;
  }
}

// A character takes two bytes when one of the text is not in Latin-1. The rest is for the objects of an entry.
const bytesOf = ({ source, json }: Kept): number => 2 * source.length + json.length + 200;

// A small buffer of Buffer.from() is a part of a larger one, all of which would be kept.
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  buffer.write(text);
  return buffer;
}
