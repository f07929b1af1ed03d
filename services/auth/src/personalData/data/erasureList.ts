import { existsSync } from 'node:fs';
import { appendFile, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PendingErasure } from '../domain/erasure.ts';
import type { ErasureRepository } from './erasureRepository.ts';

/** An erasure as the list has it: nothing that names the person without the database. */
type ListedErasure = Pick<PendingErasure, 'userId' | 'keepsGrades'>;

/**
 * Opens the list of erasures, a file outside the database. A backup from before an erasure brings the person back; the restore
 * reads here whom to erase again (docs/backup.md). A new list begins with the erasures of the database. Returns a function that
 * adds one: afterwards a crash cannot lose it, and adding it again does no harm.
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

// After an empty line, so that a line that a crash cut off does not spoil the next one.
const lineOf = ({ userId, keepsGrades }: ListedErasure): string =>
  `\n${JSON.stringify({ user_id: userId, keeps_grades: keepsGrades, at: new Date().toISOString() })}\n`;

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
