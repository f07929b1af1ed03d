interface Limits {
  /** Max bodies of one client. */
  perClient: number;
  /** Max bodies of all clients. */
  total: number;
  /** Max bytes of all clients. */
  bytes: number;
}

interface PendingBody {
  /** Records received bytes. */
  grow(bytes: number): void;
  remove(): void;
}

interface Entry {
  client: string;
  bytes: number;
  interrupt: () => void;
}

/**
 * Bodies that are being received, or files of the application that are being sent. Beyond a limit, the oldest is interrupted and
 * the new one admitted: a legitimate body takes milliseconds and is never the oldest, even when it shares its address with an
 * attacker.
 */
export class PendingBodies {
  readonly #limits: Limits;
  // In order of arrival.
  readonly #entries = new Set<Entry>();
  readonly #ofClient = new Map<string, Set<Entry>>();
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Adds a body. Calls `interrupt` at most once, when the body must make room for another. */
  add(client: string, interrupt: () => void): PendingBody {
    const entry: Entry = { client, bytes: 0, interrupt };
    const own = this.#ofClient.get(client) ?? new Set();
    this.#ofClient.set(client, own.add(entry));
    this.#entries.add(entry);
    if (own.size > this.#limits.perClient) this.#interruptFirst(own);
    if (this.#entries.size > this.#limits.total) this.#interruptFirst(this.#entries);
    return {
      grow: (bytes) => this.#grow(entry, bytes),
      remove: () => this.#remove(entry),
    };
  }

  #grow(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) this.#interruptFirst(this.#entries);
  }

  #interruptFirst(entries: Set<Entry>): void {
    const [first] = entries;
    if (!first) return;
    this.#remove(first);
    first.interrupt();
  }

  #remove(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    this.#bytes -= entry.bytes;
    const own = this.#ofClient.get(entry.client);
    own?.delete(entry);
    if (own?.size === 0) this.#ofClient.delete(entry.client);
  }
}
