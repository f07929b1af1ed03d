import { makePdf } from '@gradeway/local/demoPdf';

/** An HTTP response with its body read to the end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed value of a JSON body, null for an empty body, and a Buffer for any other. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape it expects
  body: any;
}

interface RequestOptions {
  /** A form, a string, bytes or a stream is sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface HttpClient {
  token: string | undefined;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface HttpClientOptions {
  /** Prefixed to every path that is not an absolute URL. */
  baseUrl: string;
  /** Sent as bearer token. */
  token?: string | undefined;
  /** Sent with every request, unless a request overrides them. */
  headers?: Record<string, string>;
  /** Called with every response. */
  check?(method: string, url: URL, answer: Answer): void;
}

/** The HTTP client of all tests. It does not follow redirects, and rejects only when no response arrives. */
export function createHttpClient({ baseUrl, token, headers, check }: HttpClientOptions): HttpClient {
  const defaults = { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };

  const request: HttpClient['request'] = async (method, path, options = {}) => {
    const url = new URL(path.startsWith('http') ? path : baseUrl + path);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      ...encode(options.body, { ...defaults, ...options.headers }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const answer = { status: response.status, headers: response.headers, body: await readBody(response) };
    check?.(method, url, answer);
    return answer;
  };

  return {
    token,
    request,
    get: (path, own = {}) => request('GET', path, { headers: own }),
    post: (path, body, own = {}) => request('POST', path, { body, headers: own }),
    put: (path, body, own = {}) => request('PUT', path, { body, headers: own }),
    patch: (path, body, own = {}) => request('PATCH', path, { body, headers: own }),
    delete: (path, own = {}) => request('DELETE', path, { headers: own }),
  };
}

async function readBody(response: Response): Promise<unknown> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return null;
  const isJson = response.headers.get('content-type')?.includes('json');
  return isJson ? JSON.parse(bytes.toString()) : bytes;
}

function encode(body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers };
  // fetch adds the content type of a form, with its boundary.
  if (body instanceof FormData) return { headers, body };
  const withType = { 'content-type': 'application/json', ...headers };
  if (body instanceof ReadableStream) return { headers: withType, body, duplex: 'half' } as RequestInit;
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { headers: withType, body: body as NonNullable<RequestInit['body']> };
  return { headers: withType, body: JSON.stringify(body) };
}

type Field = string | Blob | undefined;

/** A multipart form. A field with several values is sent several times, and an undefined field is omitted. */
export function form(fields: Record<string, Field | Field[]>, fileName = 'answers.pdf'): FormData {
  const data = new FormData();
  for (const [name, given] of Object.entries(fields))
    for (const value of [given].flat()) {
      if (value instanceof File) data.append(name, value);
      else if (value instanceof Blob) data.append(name, value, fileName);
      else if (value !== undefined) data.append(name, value);
    }
  return data;
}

/** A valid PDF as a file for a form. */
export async function pdf(name = 'answers.pdf', options: Parameters<typeof makePdf>[1] = {}): Promise<File> {
  return new File([new Uint8Array(await makePdf(name, options))], name, { type: 'application/pdf' });
}
