import { encodeBody } from './body/encodeBody.ts';
import { randomHex } from './body/multipart.ts';
import type { CallOptions, Client, ClientOptions } from './clientTypes.ts';
import { operations } from './generated/operations.ts';
import { addressOf } from './http/addressOf.ts';
import { headersOf } from './http/answer.ts';
import type { Operation } from './http/operation.ts';
import { send } from './http/send.ts';
import { iterate } from './iterate.ts';

type Parameters = CallOptions & { body?: unknown } & Record<string, unknown>;
type Call = (parameters?: Parameters) => Promise<unknown>;

const usualTimeoutMs = 60_000;
// Uploads may wait this long for their turn (D67).
const uploadTimeoutMs = 610_000;

/** Creates a client of the installation at `baseUrl`, which acts with the rights of the token. */
export function createClient(options: ClientOptions = {}): Client {
  const entries = Object.entries(operations).map(([id, operation]) => ({
    id,
    operation,
    call: ((parameters) => callOperation(options, operation, parameters)) as Call,
  }));
  const lists = entries.filter(({ operation }) => isPaged(operation));
  const client = {
    ...Object.fromEntries(entries.map(({ id, call }) => [id, call])),
    iterate: Object.fromEntries(
      lists.map(({ id, call }) => [
        id,
        (parameters?: Parameters) => iterate((position) => call({ ...parameters, ...position })),
      ]),
    ),
    download: (url: string, parameters?: Parameters) => download(options, url, parameters),
  };
  return client as unknown as Client;
}

const isPaged = ({ method, query = [] }: Operation): boolean =>
  method === 'GET' && (query.includes('page') || query.includes('cursor'));

async function callOperation(
  options: ClientOptions,
  operation: Operation,
  {
    body,
    signal,
    timeoutMs,
    onProgress,
    ifMatch,
    ifNoneMatch,
    idempotencyKey,
    headers,
    ...parameters
  }: Parameters = {},
): Promise<unknown> {
  const url = addressOf(baseUrlOf(options), operation, parameters);
  const encoded = await encodeBody(operation, body);
  const sent = new Headers({ accept: 'application/json', ...headers });
  const set = (name: string, value: string | undefined) => value !== undefined && sent.set(name, value);
  const key = idempotencyKey ?? (operation.takesKey ? randomHex() : undefined);
  set('authorization', await authorizationOf(options));
  set('content-type', encoded?.type);
  // Only Node.js sends streams, and only there can a request set this header.
  set('content-length', encoded?.length?.toString());
  if (!sent.has('idempotency-key')) set('idempotency-key', key);
  set('if-match', typeof ifMatch === 'object' ? (headersOf(ifMatch).get('etag') ?? undefined) : ifMatch);
  set('if-none-match', ifNoneMatch);
  return send(
    { method: operation.method, url, headers: sent, body: encoded },
    {
      fetch: options.fetch ?? fetch,
      retries: options.retries ?? 3,
      timeoutMs: timeoutMs ?? options.timeoutMs ?? (encoded?.isUpload ? uploadTimeoutMs : usualTimeoutMs),
      signal,
      onProgress,
    },
  );
}

/** A URL of a file is signed and needs no token. It is opened at this client's host: `PUBLIC_URL` may not be reachable. */
function download(options: ClientOptions, link: string, parameters?: Parameters): Promise<unknown> {
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  const operation = { method: 'GET', path: pathname, query: [...searchParams.keys()] };
  const { token: _, ...withoutToken } = options;
  return callOperation(withoutToken, operation, { ...parameters, ...Object.fromEntries(searchParams) });
}

function baseUrlOf({ baseUrl = '/' }: ClientOptions): URL {
  try {
    return new URL(baseUrl, globalThis.location?.href);
  } catch (cause) {
    throw new TypeError(`baseUrl must be a URL such as https://school.example, not ${baseUrl}`, { cause });
  }
}

async function authorizationOf({ token }: ClientOptions): Promise<string | undefined> {
  const current = typeof token === 'function' ? await token() : token;
  return current === undefined ? undefined : `Bearer ${current}`;
}
