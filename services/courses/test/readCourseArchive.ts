import { readArchive } from '@gradeway/test/readArchive';
import { parse } from 'csv-parse/sync';

export interface CourseArchive {
  /** Every entry but the manifest, in its order. */
  files: { path: string; content: Buffer }[];
  manifest: Record<string, string>[];
  /** The manifest as it is. */
  csv: string;
}

/** Reads an archive of submissions, whose last entry must be its manifest. */
export async function readCourseArchive(bytes: Buffer): Promise<CourseArchive> {
  const entries = await readArchive(bytes);
  const last = entries.pop();
  if (last?.name !== 'manifest.csv') throw new Error(`the last entry is ${last?.name}`);
  const csv = last.content.toString('utf8');
  const files = entries.map(({ name, content }) => ({ path: name, content }));
  return { files, csv, manifest: parse(csv, { columns: true }) };
}
