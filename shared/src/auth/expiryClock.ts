const wallClockOffset = () => Date.now() - performance.now();

// More than a time server corrects gradually between two readings, less than matters for the life of a token.
const jumpMs = 1_000;

/**
 * The time by which entries expire, in milliseconds since the epoch. It runs at the pace of the monotonic clock and follows the
 * wall clock only back: a jump forward may be taken back, and nothing that it deleted would return.
 */
export class ExpiryClock {
  #lastOffset = wallClockOffset();
  #slowestOffset = this.#lastOffset;

  now(): number {
    this.#slowestOffset = Math.min(this.#slowestOffset, wallClockOffset());
    return performance.now() + this.#slowestOffset;
  }

  /** Whether the wall clock has jumped, in either direction, since the previous call. */
  hasJumped(): boolean {
    const previous = this.#lastOffset;
    this.#lastOffset = wallClockOffset();
    return Math.abs(this.#lastOffset - previous) > jumpMs;
  }
}
