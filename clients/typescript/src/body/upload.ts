/** A file to upload: a Blob or File, a file on the disk of Node.js, or a stream. */
export type Upload = Blob | FileOnDisk | FileFromStream;

export interface FileOnDisk {
  path: string;
  /** The file's own name by default. */
  name?: string;
  type?: string;
}

type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface FileFromStream {
  /** A function can open the stream again, so that the upload can be retried; a stream itself is read once. */
  stream: ByteStream | (() => ByteStream);
  name: string;
  type?: string;
  /** In bytes, if it is known. */
  size?: number;
}

/** The bytes of a file, and how a request describes them. */
export interface FileSource {
  name: string;
  type: string;
  size: number | undefined;
  isReplayable: boolean;
  open(): ByteStream;
}

const defaultType = 'application/octet-stream';

export const isUpload = (value: unknown): value is Upload =>
  value instanceof Blob ||
  (typeof value === 'object' &&
    value !== null &&
    (('path' in value && typeof value.path === 'string') || ('stream' in value && 'name' in value)));

/**
 * Opens nothing yet.
 * @throws the error of the file system if a file does not exist
 */
export async function sourceOf(upload: Upload): Promise<FileSource> {
  if (upload instanceof Blob)
    return {
      name: nameOf(upload),
      type: upload.type || defaultType,
      size: upload.size,
      isReplayable: true,
      open: () => upload.stream(),
    };
  if ('path' in upload) return sourceOnDisk(upload);
  const { stream, name, type = defaultType, size } = upload;
  const isReplayable = typeof stream === 'function';
  return { name, type, size, isReplayable, open: () => (isReplayable ? stream() : stream) };
}

export const nameOf = (blob: Blob): string => ('name' in blob && String(blob.name)) || 'file';

// A static or dynamic import of `node:fs` would fail in bundles for browsers.
async function sourceOnDisk({ path, name, type = defaultType }: FileOnDisk): Promise<FileSource> {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) throw new TypeError('Only Node.js reads files from a path: pass a Blob or File.');
  const { size } = await fs.promises.stat(path);
  return {
    name: name ?? path.replace(/^.*[\\/]/, ''),
    type,
    size,
    isReplayable: true,
    open: () => fs.createReadStream(path),
  };
}
