// Measures the longest wait of a client while a table of 5 million rows gets a column, its values and an index: in three
// steps (decision 70), and in one transaction for comparison.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openMigrationDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { createLogger } from '@gradeway/shared/process/logger';
import { Client } from 'pg';
import { type BenchDatabase, startBenchDatabase } from '../support/database/benchDatabase.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';

const rows = 5_000_000;

const inThreeSteps = {
  '0001-column.sql': 'ALTER TABLE notes ADD COLUMN words integer;\n',
  '0002-unfilled.sql': `-- migrate: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS notes_unfilled ON notes (id) WHERE words IS NULL;
`,
  '0003-words.sql': `-- migrate: in batches
UPDATE notes SET words = length(body)
WHERE id IN (SELECT id FROM notes WHERE words IS NULL ORDER BY id LIMIT 10000);
`,
  '0004-index.sql': `-- migrate: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS notes_words ON notes (words);
DROP INDEX CONCURRENTLY IF EXISTS notes_unfilled;
`,
};
const inOneTransaction = {
  '0001-words.sql': `ALTER TABLE notes ADD COLUMN words integer;
UPDATE notes SET words = length(body);
CREATE INDEX notes_words ON notes (words);
`,
};

interface Waits {
  writeMs: number;
  readMs: number;
  seconds: number;
}

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase({ databases: ['steps', 'transaction'] });
  try {
    const steps = await measure(database, 'steps', inThreeSteps);
    const transaction = await measure(database, 'transaction', inOneTransaction);
    const work = `migration of ${rows / 1_000_000} million rows in three steps (column, values, index)`;
    const note = (ms: number, naiveMs: number) =>
      `in one transaction ${short(naiveMs / 1000)} s: ${short(naiveMs / ms)} times as long; the migrations took ${short(steps.seconds)} and ${short(transaction.seconds)} s`;
    const goal = { atMost: 1_000 };
    return [
      {
        name: 'migration.write',
        work: `${work}: longest wait of a write`,
        against: '-',
        goal,
        unit: 'ms',
        values: [steps.writeMs],
        note: note(steps.writeMs, transaction.writeMs),
      },
      {
        name: 'migration.read',
        work: `${work}: longest wait of a read`,
        against: '-',
        goal,
        unit: 'ms',
        values: [steps.readMs],
        note: note(steps.readMs, transaction.readMs),
      },
    ];
  } finally {
    await database.stop();
  }
}

async function measure(database: BenchDatabase, name: string, files: Record<string, string>): Promise<Waits> {
  const fill = `
    CREATE TABLE notes (id integer PRIMARY KEY, body text NOT NULL);
    ALTER TABLE notes OWNER TO gradeway_quiz;
    INSERT INTO notes SELECT n, 'a note with the number ' || n FROM generate_series(1, ${rows}) AS n`;
  await database.fill('quiz', fill, name);
  const folder = await mkdtemp(join(tmpdir(), 'gradeway-bench-migrations-'));
  for (const [file, sql] of Object.entries(files)) await writeFile(join(folder, file), sql);
  const url = database.url('quiz', name);
  const writes = await startClient(url, 'UPDATE notes SET body = body WHERE id = $1');
  const reads = await startClient(url, 'SELECT body FROM notes WHERE id = $1');
  const sequelize = openMigrationDatabase({ url, name: 'bench migration' });
  const startedAt = performance.now();
  try {
    await migrate(sequelize, pathToFileURL(`${folder}/`), createLogger('bench', 'silent'));
  } finally {
    await sequelize.close();
    await rm(folder, { recursive: true });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { writeMs: await writes.longest(), readMs: await reads.longest(), seconds };
}

/** Repeats a statement for random rows until `longest` is called, which returns the longest time of one in milliseconds. */
async function startClient(url: string, sql: string): Promise<{ longest(): Promise<number> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  let longestMs = 0;
  let isRunning = true;
  const running = (async () => {
    while (isRunning) {
      const startedAt = performance.now();
      await client.query(sql, [1 + Math.floor(Math.random() * rows)]);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  })();
  return {
    async longest() {
      isRunning = false;
      await running;
      await client.end();
      return longestMs;
    },
  };
}
