const wallClockOffset = () => Date.now() - performance.now();

// More than a time server gradually corrects between two readings, yet too short to matter for a token's lifetime.
const jumpMs = 1_000;

/**
 * The time by which entries expire, in milliseconds since the epoch. It runs at the pace of the monotonic clock and
 * follows the wall clock only backwards: a jump forward may be reverted, but entries deleted because of it would not
 * come back.
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
