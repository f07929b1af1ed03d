import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { z } from 'zod';
import type { Progress } from './progress.ts';

const line = z.object({ user_id: z.int().positive(), keeps_grades: z.boolean() });

export type ListedErasure = z.infer<typeof line>;

/**
 * Reads the list that auth keeps outside the database (services/auth/src/personalData/data/erasureList.ts): one JSON
 * object per line. Ignores other properties. Returns undefined if there is no list.
 */
export async function readErasureList(path: string | undefined): Promise<ListedErasure[] | undefined> {
  const content = path && (await readFile(path, 'utf8').catch(ignoreMissing));
  return content?.split('\n').flatMap((text, index) => {
    if (text.trim() === '') return [];
    const parsed = line.safeParse(parseJson(text));
    if (!parsed.success) throw new Error(`${path}, line ${index + 1}: not an erasure`);
    return [parsed.data];
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const knowsErasures = "SELECT to_regclass('auth.erasures') IS NOT NULL AS yes";
const isAccount = 'SELECT FROM auth.users WHERE id = $1 AND deleted_at IS NULL';
// Auth also deletes the account. The requester 0 is not a user.
const request = `
  INSERT INTO auth.erasures (user_id, keeps_grades, requested_by, email, sourced_id)
  SELECT id, $2, 0, email, (SELECT sourced_id FROM auth.user_sources WHERE user_id = id)
  FROM auth.users WHERE id = $1 AND reserved_by IS NULL
  ON CONFLICT (user_id) DO NOTHING`;

/**
 * Requests the listed erasures that the database lacks. Auth performs them when it starts. The role of auth must be
 * set.
 */
export async function repeatErasures(
  client: Client,
  listed: ListedErasure[],
  progress: Progress,
): Promise<void> {
  const { rows } = await client.query<{ yes: boolean }>(knowsErasures);
  const canRepeat = rows[0]?.yes === true;
  for (const { user_id: id, keeps_grades: keepsGrades } of listed) {
    const { rowCount } = canRepeat
      ? await client.query(request, [id, keepsGrades])
      : await client.query(isAccount, [id]);
    if (rowCount === 0) continue;
    const grades = keepsGrades ? 'grades are kept' : 'with the grades';
    progress.step(
      canRepeat
        ? `Erasing user ${id} again, when auth starts (${grades})`
        : `User ${id} was erased (${grades}): request it again, because the backup is older than erasures`,
    );
  }
}
