import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const includeLine = /^\\ir (\S+)$/gm;

/**
 * Reads a migration. As in psql, a line `\ir path` includes another file, relative to the migration's own folder.
 * Services use this to create the tables that the shared library owns (decision 0028).
 */
export async function readMigration(path: string): Promise<string> {
  const sql = await readFile(path, 'utf8');
  const included = new Map<string, string>();
  for (const [, name = ''] of sql.matchAll(includeLine))
    included.set(name, await readFile(join(dirname(path), name), 'utf8'));
  return sql.replace(includeLine, (_line, name: string) => included.get(name) ?? '');
}
