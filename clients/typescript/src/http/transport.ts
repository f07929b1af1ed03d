import type { Body } from '../body/encodeBody.ts';
import type { IdleTimer } from './idleTimer.ts';

export interface Progress {
  /** Bytes sent, or received by a download, so far. */
  loaded: number;
  /** Undefined while it is unknown. */
  total: number | undefined;
}

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: Body | undefined;
}

export interface TransferOptions {
  fetch: typeof fetch;
  timer: IdleTimer;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** Sends a request once. Resolves with any response. */
export function transfer(request: HttpRequest, options: TransferOptions): Promise<Response> {
  const { body } = request;
  const opened = body?.open();
  // With fetch, the progress of an upload is known only if its body is a stream.
  if (body?.isUpload && options.onProgress && typeof XMLHttpRequest !== 'undefined')
    return sendWithXhr(request, opened as FormData | Blob, options);
  const isStream = typeof opened === 'object' && Symbol.asyncIterator in opened;
  // The browser's fetch throws when it is called as a method of another object.
  const { fetch } = options;
  return fetch(request.url, {
    method: request.method,
    headers: request.headers,
    // The API never redirects. Another host must not get the token.
    redirect: 'error',
    signal: options.timer.signal,
    ...(opened !== undefined && { body: isStream ? streamOf(opened, body?.length, options) : opened }),
    ...(isStream && { duplex: 'half' }),
  } as RequestInit);
}

function streamOf(
  chunks: AsyncIterable<Uint8Array>,
  total: number | undefined,
  { timer, onProgress }: TransferOptions,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let loaded = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next().catch((error) => timer.fail(error));
      if (done) return controller.close();
      controller.enqueue(value);
      loaded += value.length;
      timer.touch();
      onProgress?.({ loaded, total });
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function sendWithXhr(
  { method, url, headers }: HttpRequest,
  body: FormData | Blob,
  { timer, onProgress }: TransferOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.responseType = 'arraybuffer';
    headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value);
    });
    xhr.upload.onprogress = ({ loaded, total }) => {
      timer.touch();
      onProgress?.({ loaded, total });
    };
    xhr.onerror = () => reject(new TypeError('the connection failed'));
    xhr.onabort = () => reject(timer.signal.reason);
    xhr.onload = () => {
      const isEmpty = xhr.status === 204;
      const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
      const pairs = lines.map((line) => line.split(/:(.*)/s).slice(0, 2) as [string, string]);
      resolve(new Response(isEmpty ? null : xhr.response, { status: xhr.status, headers: pairs }));
    };
    if (timer.signal.aborted) return reject(timer.signal.reason);
    timer.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(body);
  });
}
