import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type BackupStorage, manifestName } from './storage/backupStorage.ts';

/**
 * The schemas of a backup: the services' schemas and the audit log. Excludes the embedded broker, because events are
 * sent again from the outboxes.
 */
export const schemaNames = ['auth', 'courses', 'homework', 'quiz', 'audit'] as const;
export type SchemaName = (typeof schemaNames)[number];

/** The services that store files. */
export const fileServices = ['homework', 'quiz'] as const;
export type FileService = (typeof fileServices)[number];

/** How many files are copied at the same time: the network takes longer than the bytes. */
export const concurrentFiles = { concurrency: 4 };

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

/** The name of a table's object in a backup. */
export const tableObject = (service: SchemaName, name: string): string =>
  `database/${service}/${name}.copy.gz`;

/** The name of a file's object in a backup. */
export const fileObject = (service: FileService, key: string): string =>
  `files/${service}/${key.slice(0, 2)}/${key}`;

/** Writes the manifest, last: a backup with a manifest is complete. */
export async function writeManifest(storage: BackupStorage, content: Manifest): Promise<void> {
  const lines = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  await storage.write(manifestName, Readable.from([lines]));
}

/** @throws Error with a sentence for the operator when there is no complete backup */
export async function readManifest(storage: BackupStorage): Promise<Manifest> {
  const { location } = storage;
  const content = await text(storage.read(manifestName)).catch((cause) => {
    throw new Error(`${location} contains no complete backup: ${manifestName} cannot be read`, { cause });
  });
  const parsed = parseManifest(content);
  if (!parsed) throw new Error(`${location} is damaged, or was written by another version of this command`);
  return parsed;
}

/** Returns undefined for a damaged manifest, or one of another version. */
export function parseManifest(content: string): Manifest | undefined {
  try {
    return manifest.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}

/** The rows, files and bytes of files in a backup. */
export function totalsOf({ schemas, files }: Manifest): { rows: number; files: number; bytes: number } {
  const tables = Object.values(schemas).flatMap((schema) => schema.tables);
  const stored = Object.values(files);
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: stored.reduce((sum, { count }) => sum + count, 0),
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
