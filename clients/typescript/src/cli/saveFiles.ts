import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Client } from '../clientTypes.ts';
import type { Progress } from '../http/transport.ts';
import { ProgressLine } from './progressLine.ts';
import type { Kind } from './workItem.ts';

/** Saves the files of all submissions for an item, each under the id and the student of its submission. Returns their paths. */
export async function saveFiles(
  client: Client,
  item: { kind: Kind; item_id: number },
  folder: string,
): Promise<string[]> {
  const saved: string[] = [];
  for await (const { id } of client.iterate.listQueue(item)) {
    const { data } = await client.readGradingDetail({ kind: item.kind, id });
    for (const [index, { name, url }] of data.files.entries()) {
      const number = index === 0 ? '' : ` (${index + 1})`;
      const path = join(folder, fileName(`${id} ${data.student.name}${number} ${name}`));
      await save(path, (onProgress) => client.download(url, { onProgress }));
      saved.push(path);
    }
  }
  return saved;
}

/** Saves the archive of a course. Returns its path. */
export async function saveCourse(
  client: Client,
  { course_id, annotated }: { course_id: number; annotated: boolean },
  path = `course-${course_id}.zip`,
): Promise<string> {
  const query = { course_id, annotated: annotated ? ('1' as const) : ('0' as const) };
  await save(path, (onProgress) => client.downloadCourseSubmissions({ ...query, onProgress }));
  return path;
}

/** Saves a download. A file under its final name is complete. */
async function save(
  path: string,
  open: (onProgress: (progress: Progress) => void) => Promise<ReadableStream<Uint8Array>>,
): Promise<void> {
  using line = new ProgressLine(path);
  const stream = await open(line.show);
  const partial = `${path}.partial`;
  await mkdir(join(path, '..'), { recursive: true });
  try {
    await pipeline(Readable.fromWeb(stream as NodeStream), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

// Names come from students: they must stay in the folder, on any operating system.
const fileName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(-180);
