import { GradewayError } from './gradewayError.ts';
import type { IdleTimer } from './idleTimer.ts';
import type { Progress } from './transport.ts';

const headersOfAnswers = new WeakMap<object, Headers>();

/** The headers of the response whose body was this object or stream. */
export function headersOf(answer: object): Headers {
  const headers = headersOfAnswers.get(answer);
  if (!headers) throw new TypeError('This is not an answer of the client.');
  return headers;
}

/**
 * Reads the body of a successful response: JSON as an object, other text as a string, no body as undefined, and files as a
 * stream. The timer ends with the body.
 */
export async function readAnswer(
  response: Response,
  timer: IdleTimer,
  onProgress?: (progress: Progress) => void,
): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  const isText = type.startsWith('text/') || type.includes('json');
  if (response.body !== null && type !== '' && !isText) {
    const stream = watch(response.body, timer, lengthOf(response), onProgress);
    headersOfAnswers.set(stream, response.headers);
    return stream;
  }
  const text = await response.text();
  timer.end();
  if (text === '') return undefined;
  if (!type.includes('json')) return text;
  const answer = parse(text, response);
  if (typeof answer === 'object' && answer !== null) headersOfAnswers.set(answer, response.headers);
  return answer;
}

function parse(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const requestId = headers.get('x-request-id') ?? undefined;
    throw new GradewayError('The answer is not JSON.', { status, code: 'invalid_answer', requestId, cause });
  }
}

// fetch decodes a compressed body, which then has a different length.
const lengthOf = ({ headers }: Response): number | undefined =>
  headers.has('content-encoding') ? undefined : Number(headers.get('content-length')) || undefined;

function watch(
  body: ReadableStream<Uint8Array>,
  timer: IdleTimer,
  total: number | undefined,
  onProgress?: (progress: Progress) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let loaded = 0;
  timer.pause();
  return new ReadableStream({
    async pull(controller) {
      timer.touch();
      const { done, value } = await reader.read().catch((error) => {
        timer.end();
        throw error;
      });
      timer.pause();
      if (done) {
        timer.end();
        return controller.close();
      }
      controller.enqueue(value);
      loaded += value.length;
      onProgress?.({ loaded, total });
    },
    async cancel(reason) {
      timer.end();
      await reader.cancel(reason);
    },
  });
}
