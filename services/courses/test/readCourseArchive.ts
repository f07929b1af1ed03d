import { readArchive } from '@gradeway/test/readArchive';
import { parse } from 'csv-parse/sync';

export interface CourseArchive {
  /** Every entry except the manifest, in order. */
  files: { path: string; content: Buffer }[];
  manifest: Record<string, string>[];
  /** The raw manifest. */
  csv: string;
}

/** Reads an archive of submissions. Its last entry must be the manifest. */
export async function readCourseArchive(bytes: Buffer): Promise<CourseArchive> {
  const entries = await readArchive(bytes);
  const last = entries.pop();
  if (last?.name !== 'manifest.csv') throw new Error(`the last entry is ${last?.name}`);
  const csv = last.content.toString('utf8');
  const files = entries.map(({ name, content }) => ({ path: name, content }));
  return { files, csv, manifest: parse(csv, { columns: true }) };
}
