import { createHash } from 'node:crypto';
import { addAbortSignal, type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { PersonFile } from '@gradeway/proto/personal';
import { archiveFolder, createArchiveNames } from '@gradeway/shared/files/archiveNames';
import { ZipFile } from 'yazl';
import { personJson, type RecordSource } from './personJson.ts';
import type { PersonParts } from './personParts.ts';

interface Source {
  service: string;
  parts: PersonParts;
}

const maxTitleBytes = 80;
const maxNameBytes = 160;

/**
 * Streams a person's data as a ZIP archive: `person.json`, then every file as `<service>/<title> (<id>)/<file id> -
 * <name>`, and at the end `damaged-files.txt` if a file is missing or altered in its store. Nothing is held in memory. An
 * error destroys the stream: a truncated archive never looks complete.
 */
export function createPersonArchive(own: RecordSource, sources: Source[], signal: AbortSignal): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);
  addEntries(zip, own, sources, signal)
    .then(() => zip.end({ forceZip64Format: false, comment: '' }))
    .catch(fail);
  return output;
}

async function addEntries(
  zip: ZipFile,
  own: RecordSource,
  sources: Source[],
  signal: AbortSignal,
): Promise<void> {
  const records = sources.map(({ service, parts }) => ({ service, records: parts.records() }));
  const json = Readable.from(personJson([own, ...records]), { objectMode: false });
  await addStream(zip, 'person.json', { compress: true }, json, signal);

  const damaged: string[] = [];
  for (const { service, parts } of sources)
    for await (const file of parts.files()) {
      const path = pathOf(service, file);
      const isIntact = !file.missing && (await addFile(zip, path, file, parts, signal));
      if (!isIntact) damaged.push(path);
    }
  if (damaged.length > 0) zip.addBuffer(Buffer.from(`${damaged.join('\n')}\n`), 'damaged-files.txt');
}

/** Adds a file. False when its bytes differ from those that were uploaded. */
async function addFile(
  zip: ZipFile,
  path: string,
  { size, sha256, submittedAt }: PersonFile,
  parts: PersonParts,
  signal: AbortSignal,
): Promise<boolean> {
  const hash = createHash('sha256');
  let length = 0;
  async function* hashed() {
    for await (const bytes of parts.content()) {
      hash.update(bytes);
      length += bytes.length;
      yield bytes;
    }
  }
  // PDFs hardly compress.
  const options = { compress: false, mtime: new Date((submittedAt?.seconds ?? 0) * 1000) };
  await addStream(zip, path, options, Readable.from(hashed(), { objectMode: false }), signal);
  return length === size && hash.digest('hex') === sha256;
}

// The ids make paths unique.
function pathOf(service: string, { fileId, itemId, itemTitle, name }: PersonFile): string {
  const folder = archiveFolder(itemTitle, ` (${itemId})`, maxTitleBytes);
  return `${service}/${folder}/${createArchiveNames(`${fileId} - `, maxNameBytes)(name)}`;
}

/** Adds one entry and waits until it has been read. */
function addStream(
  zip: ZipFile,
  path: string,
  options: Parameters<ZipFile['addReadStreamLazy']>[1],
  stream: Readable,
  signal: AbortSignal,
): Promise<void> {
  // yazl retains each entry with its callback until the end: the callback must not retain the stream.
  let pending: Readable | undefined = addAbortSignal(signal, stream);
  zip.addReadStreamLazy(path, options, (done) => {
    if (pending) done(null, pending);
    pending = undefined;
  });
  return finished(stream, { writable: false });
}
