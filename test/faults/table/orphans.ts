import type { Kind } from './ledger.ts';
import type { SystemUnderTest } from './system.ts';

const unreferenced: Record<Kind, string> = {
  quiz: `
    SELECT id FROM quiz.files f WHERE attached_at IS NOT NULL AND removed_at IS NULL
      AND NOT EXISTS (SELECT FROM quiz.marked_pdfs m WHERE m.file_id = f.id)
      AND NOT EXISTS (SELECT FROM quiz.submissions s WHERE s.file_id = f.id)
      AND NOT EXISTS (SELECT FROM quiz.replaced_sheets r WHERE r.file_id = f.id)
      AND NOT EXISTS (SELECT FROM quiz.quizzes q WHERE q.questions_file_id = f.id)`,
  homework: `
    SELECT id FROM homework.files f WHERE attached_at IS NOT NULL AND removed_at IS NULL
      AND NOT EXISTS (SELECT FROM homework.marked_pdfs m WHERE m.file_id = f.id)
      AND NOT EXISTS (SELECT FROM homework.submission_files s WHERE s.file_id = f.id)
      AND NOT EXISTS (SELECT FROM homework.assignments a WHERE a.file_id = f.id)`,
};

/**
 * Leftovers that an upload must never create: bytes without a row of `files`, and attached files that no record refers
 * to. Pending rows are not counted: a crash may leave them, and the sweep deletes them (fileLibrary.ts).
 */
export async function findOrphans(system: SystemUnderTest, kind: Kind): Promise<string[]> {
  const stored = await system.storedKeys(kind);
  const known = await system.query<{ key: string }>(`SELECT key FROM ${kind}.files`);
  const keys = new Set(known.map(({ key }) => key));
  const attached = await system.query<{ id: number }>(unreferenced[kind]);
  return [
    ...stored.filter((key) => !keys.has(key)).map((key) => `${kind}: bytes of ${key} without a row`),
    ...attached.map(({ id }) => `${kind}: attached file ${id} without a submission`),
  ];
}
