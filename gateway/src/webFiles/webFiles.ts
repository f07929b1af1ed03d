import { createHash } from 'node:crypto';
import type { Logger } from '@gradeway/shared/process/logger';
import { acceptedEncodings } from './acceptHeaders.ts';
import { compress, type Encoding, encodings, fastLevels } from './compress.ts';
import { type DiskFile, readDirectory } from './readDirectory.ts';

/** The bytes of a file in one encoding. */
interface Representation {
  encoding?: Encoding;
  bytes: Buffer;
  /** Differs between the representations of a file (RFC 9110 §8.8.3). */
  etag: string;
}

export interface WebFile {
  path: string;
  /** Whether its name changes with its content. */
  isHashed: boolean;
  plain: Representation;
  compressed: Representation[];
}

/** The files of the web application, in memory. */
export interface WebFiles {
  /** Finds the file of a raw path (decision 0007). */
  find(path: string): WebFile | undefined;
  /** The page for every address of the application. */
  page: WebFile;
}

interface Options {
  directory: string;
  /** The school's time zone. The page shows and reads all times in it. */
  timeZone: string;
  log: Logger;
}

/** Reads the built application. Undefined, with a warning in the log, when there is none. */
export async function openWebFiles({ directory, timeZone, log }: Options): Promise<WebFiles | undefined> {
  const read = await readDirectory(directory);
  const created = await Promise.all(read.map((file) => createWebFile(withTimeZone(file, timeZone))));
  const files = new Map(created.map((file) => [addressOf(file), file]));
  const page = files.get('/index.html');
  if (!page) {
    log.warn({ directory }, 'there is no built web application; its addresses return 404');
    return undefined;
  }
  files.set('/', page);
  return { find: (path) => files.get(path), page };
}

/** Chooses the representation for an `Accept-Encoding` header. */
export function chooseRepresentation(file: WebFile, acceptEncoding: string | undefined): Representation {
  for (const encoding of acceptedEncodings(acceptEncoding)) {
    const found = file.compressed.find((each) => each.encoding === encoding);
    if (found) return found;
  }
  return file.plain;
}

const zoneInPage = '<meta name="time-zone" content="UTC">';

// Part of the page, because the application needs it before it shows anything, and a request for it could fail.
function withTimeZone(file: DiskFile, timeZone: string): DiskFile {
  if (file.path !== 'index.html' || timeZone === 'UTC') return file;
  const text = file.bytes.toString().replace(zoneInPage, zoneInPage.replace('UTC', timeZone));
  return { ...file, bytes: Buffer.from(text), compressed: {} };
}

// The spelling of browsers.
const addressOf = ({ path }: WebFile): string => `/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;

async function createWebFile(file: DiskFile): Promise<WebFile> {
  const { path, bytes } = file;
  const compressed: Representation[] = [];
  for (const encoding of encodings) {
    const smaller = file.compressed[encoding] ?? (await compress(file, encoding, fastLevels));
    if (smaller) compressed.push({ encoding, bytes: smaller, etag: etagOf(smaller) });
  }
  return { path, isHashed: path.startsWith('assets/'), plain: { bytes, etag: etagOf(bytes) }, compressed };
}

const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
