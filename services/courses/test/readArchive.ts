import { buffer, text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

export interface Archive {
  /** Every entry but the manifest, in its order. */
  files: { path: string; content: Buffer }[];
  manifest: Record<string, string>[];
  /** The manifest as it is. */
  csv: string;
}

/** Reads an archive of submissions, whose last entry must be its manifest. */
export async function readArchive(bytes: Buffer): Promise<Archive> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const entries = await entriesOf(zip);
  const last = entries.pop();
  if (last?.fileName !== 'manifest.csv') throw new Error(`the last entry is ${last?.fileName}`);
  const files = [];
  for (const entry of entries)
    files.push({ path: entry.fileName, content: await buffer(await open(zip, entry)) });
  const csv = await text(await open(zip, last));
  return { files, csv, manifest: parse(csv, { columns: true }) };
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries)).on('error', reject);
    zip.readEntry();
  });
}

const open = (zip: ZipFile, entry: Entry) =>
  new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
