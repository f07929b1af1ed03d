import { createHash } from 'node:crypto';
import type { PersonFile } from '@gradeway/proto/personal';
import { archiveFolder, createArchiveNames } from '@gradeway/shared/files/archiveNames';
import type { ZipEntry } from '@gradeway/shared/zip/writeZip';
import { personJson, type RecordSource } from './personJson.ts';
import type { PersonParts } from './personParts.ts';

interface Source {
  service: string;
  parts: PersonParts;
}

const maxTitleBytes = 80;
const maxNameBytes = 160;

/**
 * Yields the entries of an archive of a person's data: `person.json`, then every file as `<service>/<title>
 * (<id>)/<file id> - <name>`, and finally `damaged-files.txt` if a stored file is missing or altered.
 * Nothing is held in memory.
 */
export async function* personArchive(own: RecordSource, sources: Source[]): AsyncGenerator<ZipEntry> {
  const modifiedAt = new Date();
  const records = sources.map(({ service, parts }) => ({ service, records: parts.records() }));
  const json = () => encoded(personJson([own, ...records]));
  yield { path: 'person.json', modifiedAt, content: json, isCompressed: true };

  const damaged: string[] = [];
  for (const { service, parts } of sources)
    for await (const file of parts.files()) {
      const path = pathOf(service, file);
      if (file.missing) damaged.push(path);
      else yield fileEntry(path, file, parts, () => damaged.push(path));
    }
  const list = Buffer.from(`${damaged.join('\n')}\n`);
  if (damaged.length > 0)
    yield { path: 'damaged-files.txt', modifiedAt, content: () => [list], isCompressed: true };
}

// PDFs hardly compress.
const fileEntry = (path: string, file: PersonFile, parts: PersonParts, onDamaged: () => void): ZipEntry => ({
  path,
  modifiedAt: new Date((file.submittedAt?.seconds ?? 0) * 1000),
  content: () => contentOf(file, parts, onDamaged),
});

// A file whose bytes differ from the uploaded ones is still included.
async function* contentOf(
  { size, sha256 }: PersonFile,
  parts: PersonParts,
  onDamaged: () => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const bytes of parts.content()) {
    hash.update(bytes);
    length += bytes.length;
    yield bytes;
  }
  if (length !== size || hash.digest('hex') !== sha256) onDamaged();
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

// The ids make the paths unique.
function pathOf(service: string, { fileId, itemId, itemTitle, name }: PersonFile): string {
  const folder = archiveFolder(itemTitle, ` (${itemId})`, maxTitleBytes);
  return `${service}/${folder}/${createArchiveNames(`${fileId} - `, maxNameBytes)(name)}`;
}
