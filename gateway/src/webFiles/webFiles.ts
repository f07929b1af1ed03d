import { createHash } from 'node:crypto';
import type { Logger } from '@gradeway/shared/process/logger';
import { compress } from './compress.ts';
import { acceptedEncodings, type Encoding, encodings } from './contentEncoding.ts';
import { contentTypeOf, isCompressible } from './contentTypes.ts';
import { type DiskFile, readDirectory } from './readDirectory.ts';

/** One representation of a file: its bytes, perhaps compressed. */
interface Representation {
  encoding: Encoding | undefined;
  bytes: Buffer;
  /** Differs between the representations of a file (RFC 9110 §8.8.3). */
  etag: string;
}

export interface WebFile {
  contentType: string;
  /** Whether its name changes with its content. */
  isHashed: boolean;
  plain: Representation;
  compressed: Partial<Record<Encoding, Representation>>;
}

/** The files of the application, in memory, by the path of their address. */
export interface WebFiles {
  find(path: string): WebFile | undefined;
  /** The page that every address of the application answers with. */
  page: WebFile;
  /** Resolves when every file has its compressed representations. Until then some are sent as they are. */
  compressed: Promise<void>;
}

// Files that the build has not compressed are compressed quickly.
const effort = { brotli: 5, gzip: 6 };

interface Options {
  directory: string;
  /** Of the school. The page shows and reads all times in it. */
  timeZone: string;
  log: Logger;
}

/** Reads the built application. Undefined, with a warning in the log, when there is none. */
export async function openWebFiles({ directory, timeZone, log }: Options): Promise<WebFiles | undefined> {
  const read = (await readDirectory(directory))?.map((file) => withTimeZone(file, timeZone));
  const files = new Map(read?.map((file) => [addressOf(file), createWebFile(file)]));
  const page = files.get('/index.html');
  if (!page) {
    log.warn({ directory }, 'there is no built web application; its addresses answer 404');
    return undefined;
  }
  files.set('/', page);
  return { find: (path) => files.get(path), page, compressed: compressAll(read ?? [], files, log) };
}

/** The best representation for an `Accept-Encoding`. */
export function chooseRepresentation(file: WebFile, acceptEncoding: string | undefined): Representation {
  const encoding = acceptedEncodings(acceptEncoding).find((each) => file.compressed[each]);
  return (encoding && file.compressed[encoding]) ?? file.plain;
}

const zoneInPage = '<meta name="time-zone" content="UTC">';

// In the page, since the application needs it before it shows anything, and every request for it could fail.
function withTimeZone(file: DiskFile, timeZone: string): DiskFile {
  if (file.path !== 'index.html' || timeZone === 'UTC') return file;
  const text = file.bytes.toString().replace(zoneInPage, zoneInPage.replace('UTC', timeZone));
  return { ...file, bytes: Buffer.from(text), compressed: {} };
}

// As browsers write it. Paths are compared raw (decision 0007).
const addressOf = ({ path }: DiskFile): string => `/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;

function createWebFile({ path, bytes, compressed }: DiskFile): WebFile {
  const hash = hashOf(bytes);
  const file: WebFile = {
    contentType: contentTypeOf(path),
    isHashed: path.startsWith('assets/'),
    plain: { encoding: undefined, bytes, etag: `"${hash}"` },
    compressed: {},
  };
  for (const encoding of encodings) addCompressed(file, encoding, compressed[encoding]);
  return file;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

function addCompressed(file: WebFile, encoding: Encoding, bytes: Buffer | undefined): void {
  if (bytes) file.compressed[encoding] = { encoding, bytes, etag: `"${hashOf(bytes)}-${encoding}"` };
}

// One after the other: requests of the API use the same threads.
async function compressAll(read: DiskFile[], files: Map<string, WebFile>, log: Logger): Promise<void> {
  try {
    for (const each of read) {
      const file = files.get(addressOf(each));
      if (!file || !isCompressible(each.path)) continue;
      for (const encoding of encodings)
        if (!each.compressed[encoding])
          addCompressed(file, encoding, await compress(each.bytes, encoding, effort));
    }
  } catch (error) {
    log.warn({ err: error }, 'a file of the web application could not be compressed; it is sent as it is');
  }
}
