import type { FileSource } from './upload.ts';

export interface Multipart {
  boundary: string;
  /** In bytes; undefined if the size of a file is unknown. */
  length: number | undefined;
  /** A stream can be read once. Files are read while they are sent, never into memory. */
  open(): AsyncGenerator<Uint8Array>;
}

const encoder = new TextEncoder();
// HTML standard, "multipart form data". Without this escaping, a file name could add headers.
const quoted = (name: string): string =>
  `"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;

/** Encodes a form as multipart/form-data, as browsers do, but without holding its files in memory. */
export function encodeMultipart(fields: [name: string, value: string | FileSource][]): Multipart {
  const boundary = `gradeway-${randomHex()}`;
  const parts = fields.map(([name, value]) => {
    const isText = typeof value === 'string';
    const file = isText
      ? ''
      : `; filename=${quoted(value.name)}\r\nContent-Type: ${value.type.replaceAll(/[\r\n]/g, '')}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}${file}\r\n\r\n`;
    return { head: encoder.encode(head), value: isText ? encoder.encode(value) : value };
  });
  const lineEnd = encoder.encode('\r\n');
  const end = encoder.encode(`--${boundary}--\r\n`);

  async function* open(): AsyncGenerator<Uint8Array> {
    for (const { head, value } of parts) {
      yield head;
      if (value instanceof Uint8Array) yield value;
      else yield* value.open() as AsyncIterable<Uint8Array>;
      yield lineEnd;
    }
    yield end;
  }

  let length: number | undefined = end.length;
  for (const { head, value } of parts) {
    const size = value instanceof Uint8Array ? value.length : value.size;
    length =
      length === undefined || size === undefined ? undefined : length + head.length + size + lineEnd.length;
  }
  return { boundary, length, open };
}

/** 32 random digits. `crypto.randomUUID` is missing on pages without HTTPS. */
export const randomHex = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
