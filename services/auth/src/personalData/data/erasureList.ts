import { existsSync } from 'node:fs';
import { appendFile, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PendingErasure } from '../domain/erasure.ts';
import type { ErasureRepository } from './erasureRepository.ts';

/** An erasure as stored in the list. It does not identify the person without the database. */
type ListedErasure = Pick<PendingErasure, 'userId' | 'keepsGrades'>;

/**
 * Opens the list of erasures, a file outside the database. A backup from before an erasure brings the person back, so a
 * restore reads this list to erase people again (docs/backup.md). A new list starts with the erasures in the database.
 * Returns a function that adds one. A crash cannot lose an added erasure; adding one again is harmless.
 */
export async function openErasureList(
  path: string,
  erasures: ErasureRepository,
): Promise<(erasure: ListedErasure) => Promise<void>> {
  if (!existsSync(path)) {
    const lines = (await erasures.findAll()).map(lineOf);
    await writeFile(`${path}.new`, lines.join(''), durable);
    await rename(`${path}.new`, path);
    await syncDirectory(dirname(path));
  }
  return (erasure) => appendFile(path, lineOf(erasure), durable);
}

const durable = { mode: 0o600, flush: true };

// Starts with an empty line, so that a line truncated by a crash does not corrupt the next one.
const lineOf = ({ userId, keepsGrades }: ListedErasure): string =>
  `\n${JSON.stringify({ user_id: userId, keeps_grades: keepsGrades, at: new Date().toISOString() })}\n`;

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
