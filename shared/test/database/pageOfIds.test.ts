import { createTestDatabase } from '@gradeway/test/testDatabase';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { pageOfIds, pageValues } from '../../src/database/pageOfIds.ts';

const rows = 20_000;

async function connectToList(): Promise<Client> {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url('quiz') });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  await client.query(`
    CREATE TABLE list (id int PRIMARY KEY, created_at timestamptz NOT NULL);
    INSERT INTO list SELECT n, now() - n * interval '1 minute' FROM generate_series(1, ${rows}) n;
    CREATE INDEX ON list (created_at, id);`);
  await client.query('VACUUM ANALYZE list');
  return client;
}

const order = ['created_at', 'id'];
const queries = pageOfIds({ from: 'list', id: 'id', order, total: 'SELECT count(*)::integer FROM list' });

test.each(['fromStart', 'fromEnd'] as const)(
  'PostgreSQL plans the page %s once for a connection, however long the list is',
  async (name) => {
    const client = await connectToList();
    for (let number = 1; number <= 30; number += 1) {
      const values = pageValues({ number, size: 15 });
      const { rows: page } = await client.query({ name, text: queries[name], values });
      const ids = page.map(({ id }) => id).toSorted((a, b) => a - b);
      expect(ids).toEqual(Array.from({ length: 15 }, (_, place) => 15 * (number - 1) + place + 1));
    }
    // The first five are always planned for their values.
    const plans = await client.query('SELECT custom_plans::integer AS planned FROM pg_prepared_statements');
    expect(plans.rows).toEqual([{ planned: 5 }]);
  },
);
