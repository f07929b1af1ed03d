import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * The schemas of a backup: the services' schemas and the audit log. Excludes the embedded broker, because events are
 * sent again from the outboxes.
 */
export const schemaNames = ['auth', 'courses', 'homework', 'quiz', 'audit'] as const;
export type SchemaName = (typeof schemaNames)[number];

/** The services that store files. */
export const fileServices = ['homework', 'quiz'] as const;
export type FileService = (typeof fileServices)[number];

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  /** SHA-256 of the compressed file. */
  sha256: z.string(),
});
const schema = z.object({
  migrations: z.array(z.string()),
  /** Ordered so that each table follows the tables it refers to. */
  tables: z.array(table),
  sequences: z.record(z.string(), z.string()),
});
const problem = z.object({
  service: z.enum(fileServices),
  key: z.string(),
  problem: z.enum(['missing', 'damaged']),
});
const manifest = z.object({
  format: z.literal(1),
  startedAt: z.string(),
  /** The time of the database snapshot: the state that a restore brings back. */
  takenAt: z.string(),
  finishedAt: z.string(),
  schemas: z.record(z.enum(schemaNames), schema),
  files: z.record(z.enum(fileServices), z.object({ count: z.number(), bytes: z.number() })),
  /** Files that were already missing or damaged in the store. */
  problems: z.array(problem),
});

export type TableEntry = z.infer<typeof table>;
export type SchemaEntry = z.infer<typeof schema>;
export type FileProblem = z.infer<typeof problem>;
export type Manifest = z.infer<typeof manifest>;
/** The part of a manifest about tables and files. */
export type Content = Omit<Manifest, 'format' | 'startedAt' | 'finishedAt'>;

export const tablePath = (directory: string, service: SchemaName, name: string): string =>
  join(directory, 'database', service, `${name}.copy.gz`);

export const filePath = (directory: string, service: FileService, key: string): string =>
  join(directory, 'files', service, key.slice(0, 2), key);

/** Writes the manifest, last and under a temporary name first: a directory with a manifest is a complete backup. */
export async function writeManifest(directory: string, content: Manifest): Promise<void> {
  const path = join(directory, 'manifest.json');
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** @throws Error with a sentence for the operator when the directory contains no complete backup */
export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, 'manifest.json');
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new Error(`${directory} contains no complete backup: manifest.json cannot be read`, { cause });
  });
  const parsed = manifest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`${path} was written by another version of this command`);
  return parsed.data;
}
