import { GradewayError } from './gradewayError.ts';

/** Aborts a request when its caller does, or when it has made no progress for some time. */
export class IdleTimer {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isExpired = false;
  #failure: { error: unknown } | undefined;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    if (caller?.aborted) this.#abort();
    caller?.addEventListener('abort', this.#abort, { once: true });
    this.touch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts again from zero. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isExpired = true;
      this.#controller.abort();
    }, this.#timeoutMs);
  }

  /** Stops until the next touch. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Stores an error of the body's source, which the transport would report as a network error. */
  fail(error: unknown): never {
    this.#failure = { error };
    throw error;
  }

  end(): void {
    this.pause();
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  /** The error that the caller gets for a transport error: the reason of an abort, otherwise a `GradewayError`. */
  explain(error: unknown, url: URL): unknown {
    if (error instanceof GradewayError) return error;
    if (this.#caller?.aborted) return this.#caller.reason;
    if (this.#failure) return this.#failure.error;
    const [code, what] = this.#isExpired
      ? ['timeout', 'did not answer in time']
      : ['unreachable', 'is unreachable'];
    return new GradewayError(`${url.origin} ${what}.`, { status: 0, code, cause: error });
  }
}
