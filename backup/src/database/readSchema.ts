import type { Client } from 'pg';
import type { SchemaEntry, SchemaName } from '../manifest.ts';

const selectTables = `
  SELECT class.relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class class
  JOIN pg_attribute ON attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE relnamespace = $1::regnamespace AND relkind = 'r'
  GROUP BY class.oid, class.relname ORDER BY class.relname`;

const selectReferences = `
  SELECT referring.relname AS "from", referred.relname AS "to"
  FROM pg_constraint
  JOIN pg_class referring ON referring.oid = conrelid
  JOIN pg_class referred ON referred.oid = confrelid
  WHERE contype = 'f' AND connamespace = $1::regnamespace AND conrelid <> confrelid`;

const selectSequences = `
  SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
  WHERE schemaname = $1 AND last_value IS NOT NULL`;

type Schema = Omit<SchemaEntry, 'tables'> & { tables: { name: string; columns: string[] }[] };

/** Reads the structure of a schema. `tables` is ordered so that each table follows the tables it refers to. */
export async function readSchema(client: Client, schema: SchemaName): Promise<Schema> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(selectTables, [schema]);
  if (tables.length === 0)
    throw new Error(`the schema ${schema} has no tables: is this the database of Gradeway?`);
  const { rows: references } = await client.query<{ from: string; to: string }>(selectReferences, [schema]);
  const { rows: sequences } = await client.query<{ name: string; value: string }>(selectSequences, [schema]);
  return {
    migrations: tables.some(({ name }) => name === 'migrations') ? await migrationsIn(client, schema) : [],
    tables: orderByReference(tables, references),
    sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])),
  };
}

async function migrationsIn(client: Client, schema: SchemaName): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${schema}.migrations ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

function orderByReference<T extends { name: string }>(
  tables: T[],
  references: { from: string; to: string }[],
): T[] {
  const ordered: T[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const next = [...waiting].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && names.has(to)),
    );
    if (next.length === 0) throw new Error(`circular references between tables: ${[...names].join(', ')}`);
    for (const each of next) waiting.delete(each);
    ordered.push(...next);
  }
  return ordered;
}
