import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface Migration {
  /**
   * How the statements run: together in one transaction; one after another without a transaction, which
   * `CREATE INDEX CONCURRENTLY` requires; or each repeatedly, in a new transaction each time, until it changes no row.
   */
  mode: 'transaction' | 'concurrently' | 'batches';
  /** A transaction's statements are one string. */
  statements: string[];
}

const includeLine = /^\\ir (\S+)$/gm;
const modeLine = /^-- migrate: (.*)\n/;
const modes: Record<string, Migration['mode']> = { concurrently: 'concurrently', 'in batches': 'batches' };

// Each may run again after a failure.
const repeatable = {
  concurrently: /^(CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS|DROP INDEX CONCURRENTLY IF EXISTS) \w+/,
  batches: /^(WITH|UPDATE|DELETE|INSERT)\b.*\bLIMIT\b/s,
};

/**
 * Reads a migration. As in psql, a line `\ir path` includes another file, relative to the migration's own folder.
 * Services use this to create the tables that the shared library owns (decision 0028). The first line may be
 * `-- migrate: concurrently` or `-- migrate: in batches` ({@link Migration}); each statement then ends with a semicolon
 * at the end of a line.
 * @throws Error when the mode is unknown, or has a statement that cannot run in it
 */
export async function readMigration(path: string): Promise<Migration> {
  const sql = await readFile(path, 'utf8');
  const name = modeLine.exec(sql)?.[1];
  if (name === undefined) return { mode: 'transaction', statements: [await include(sql, path)] };
  const mode = modes[name];
  if (!mode || mode === 'transaction') throw new Error(`${path}: no such mode: ${name}`);
  const statements = sql
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);
  for (const statement of statements)
    if (!repeatable[mode].test(statement))
      throw new Error(`${path}: cannot run ${name}, as ${repeatable[mode]} requires: ${statement}`);
  return { mode, statements };
}

async function include(sql: string, path: string): Promise<string> {
  const included = new Map<string, string>();
  for (const [, name = ''] of sql.matchAll(includeLine))
    included.set(name, await readFile(join(dirname(path), name), 'utf8'));
  return sql.replace(includeLine, (_line, name: string) => included.get(name) ?? '');
}
