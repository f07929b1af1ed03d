import type { Operation } from '../http/operation.ts';
import { encodeMultipart } from './multipart.ts';
import { type FileSource, isUpload, nameOf, sourceOf, type Upload } from './upload.ts';

/** A request body that is opened once for each attempt. */
export interface Body {
  /** Content type; undefined where the browser adds it, with the boundary of its form. */
  type: string | undefined;
  /** In bytes, for a stream of known length. Browsers count the others themselves. */
  length: number | undefined;
  /** Whether it contains files. */
  isUpload: boolean;
  isReplayable: boolean;
  open(): string | FormData | Blob | AsyncIterable<Uint8Array>;
}

/** Node.js sends streams. Browsers support this only with HTTP/2, and send a form with Blobs instead. */
const sendsStreams = (): boolean => globalThis.process?.versions?.node !== undefined;

/**
 * Encodes a body in the content type that the operation expects: a form if one of its fields is a file, otherwise JSON.
 * @throws TypeError if the operation does not accept such a body
 */
export async function encodeBody(
  { body: types = [], method, path }: Operation,
  body: unknown,
): Promise<Body | undefined> {
  if (body === undefined) return undefined;
  if (isUpload(body)) {
    const type = types.find((each) => !/json|multipart/.test(each));
    if (type) return encodeFile(body, type);
  } else if (typeof body === 'object' && body !== null) {
    const acceptsJson = types.includes('application/json');
    if (types.includes('multipart/form-data') && (!acceptsJson || Object.values(body).flat().some(isUpload)))
      return encodeForm(body);
    if (acceptsJson) return encodeJson(body);
  }
  throw new TypeError(`${method} ${path} accepts ${types.join(' or ') || 'no body'}.`);
}

function encodeJson(body: object): Body {
  const text = JSON.stringify(body);
  return {
    type: 'application/json',
    length: undefined,
    isUpload: false,
    isReplayable: true,
    open: () => text,
  };
}

async function encodeFile(file: Upload, type: string): Promise<Body> {
  if (!sendsStreams()) {
    const blob = await blobOf(file);
    return { type, length: undefined, isUpload: true, isReplayable: true, open: () => blob };
  }
  const { size, isReplayable, open } = await sourceOf(file);
  return {
    type,
    length: size,
    isUpload: true,
    isReplayable,
    open: () => open() as AsyncIterable<Uint8Array>,
  };
}

async function encodeForm(body: object): Promise<Body> {
  // Files come last: the server checks the other fields first (D45).
  const fields = Object.entries(body)
    .flatMap(([name, value]) => [value].flat().map((each): [string, unknown] => [name, each]))
    .filter(([, value]) => value !== undefined)
    .toSorted(([, one], [, other]) => Number(isUpload(one)) - Number(isUpload(other)));
  if (!sendsStreams()) {
    const form = new FormData();
    for (const [name, value] of fields) {
      if (isUpload(value)) form.append(name, await blobOf(value), fileNameOf(value));
      else form.append(name, textOf(value));
    }
    return {
      type: undefined,
      length: undefined,
      isUpload: true,
      isReplayable: true,
      open: () => form,
    };
  }
  const encoded: [string, string | FileSource][] = [];
  for (const [name, value] of fields)
    encoded.push([name, isUpload(value) ? await sourceOf(value) : textOf(value)]);
  const { boundary, length, open } = encodeMultipart(encoded);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length,
    isUpload: true,
    isReplayable: encoded.every(([, value]) => typeof value === 'string' || value.isReplayable),
    open,
  };
}

// In a form, null clears a field, and rules are JSON.
const textOf = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

const fileNameOf = (file: Upload): string => (file instanceof Blob ? nameOf(file) : (file.name ?? 'file'));

// A browser keeps a large Blob on its disk.
async function blobOf(file: Upload): Promise<Blob> {
  if (file instanceof Blob) return file;
  const { open, type } = await sourceOf(file);
  return new Response(open() as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: { 'content-type': type },
  }).blob();
}
