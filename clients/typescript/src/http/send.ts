import { readAnswer } from './answer.ts';
import { errorOf } from './gradewayError.ts';
import { IdleTimer } from './idleTimer.ts';
import { delayBefore, isIdempotent, isTemporary } from './retries.ts';
import { type HttpRequest, type Progress, transfer } from './transport.ts';

export interface SendOptions {
  fetch: typeof fetch;
  retries: number;
  /** Without progress, by attempt. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
}

/**
 * Sends a request, retries it after a temporary failure if it is idempotent, and returns the body of the response.
 * @throws GradewayError for an unsuccessful or missing response
 * @throws the reason of the signal if the caller aborts
 */
export async function send(request: HttpRequest, options: SendOptions): Promise<unknown> {
  const { method, headers, body } = request;
  const mayRetry = isIdempotent(method, headers) && (body?.isReplayable ?? true);
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(request, options);
    if (!('error' in outcome)) return outcome.answer;
    const { error, retryAfter } = outcome;
    const delay = mayRetry && isTemporary(error) ? delayBefore(attempt, retryAfter) : undefined;
    if (delay === undefined || attempt >= options.retries) throw error;
    await pause(delay, options.signal);
  }
}

type Outcome = { answer: unknown } | { error: unknown; retryAfter: string | null };

async function attemptOnce(request: HttpRequest, options: SendOptions): Promise<Outcome> {
  const { signal, timeoutMs, onProgress } = options;
  const timer = new IdleTimer(timeoutMs, signal);
  try {
    const response = await transfer(request, { fetch: options.fetch, timer, onProgress });
    if (response.ok) return { answer: await readAnswer(response, timer, onProgress) };
    const error = await errorOf(response);
    timer.end();
    return { error, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    timer.end();
    return { error: timer.explain(error, request.url), retryAfter: null };
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
