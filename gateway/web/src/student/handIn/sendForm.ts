import type { PendingUpload } from './uploadTypes.ts';

/** The response to an upload; undefined if there was none. */
export interface FormResponse {
  status: number;
  message: string;
  receipt: string | null;
  retryAfterSeconds: number | null;
}

export type SendForm = (
  upload: PendingUpload,
  token: string,
  onSent: (sent: number, total: number) => void,
  signal: AbortSignal,
) => Promise<FormResponse | undefined>;

/** A connection without any progress for this long counts as lost. Longer than checking the largest PDF takes. */
const silence = 60_000;

/**
 * Sends a form. `fetch` does not report upload progress. The fields come first, so that an upload that is not permitted
 * is rejected before its files are sent.
 */
export const sendForm: SendForm = (upload, token, onSent, signal) =>
  new Promise((resolve, reject) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
    for (const { name, blob } of upload.files) form.append(upload.fileField, blob, name);

    const request = new XMLHttpRequest();
    let timer = setTimeout(() => request.abort(), silence);
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), silence);
    };
    const abort = () => request.abort();
    request.upload.onprogress = ({ loaded, total }) => {
      moved();
      onSent(loaded, total);
    };
    request.upload.onload = moved;
    request.onload = () => resolve(answerIn(request));
    request.onerror = () => resolve(undefined);
    request.onabort = () => (signal.aborted ? reject(signal.reason) : resolve(undefined));
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort);
    request.open('POST', upload.path);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.setRequestHeader('Idempotency-Key', upload.idempotencyKey);
    request.send(form);
  });

function answerIn(request: XMLHttpRequest): FormResponse {
  const seconds = Number(request.getResponseHeader('retry-after') ?? Number.NaN);
  return {
    status: request.status,
    message: messageIn(request.responseText) || request.statusText,
    receipt: request.getResponseHeader('submission-receipt'),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
}

/** Returns the first validation message if there is one, otherwise the message. */
function messageIn(text: string): string {
  try {
    const body = JSON.parse(text) as { message?: string; errors?: Record<string, string[]> | null };
    return Object.values(body.errors ?? {})[0]?.[0] ?? body.message ?? '';
  } catch {
    return '';
  }
}
