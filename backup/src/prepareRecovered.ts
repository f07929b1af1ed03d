import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { asOwner, inTransaction, withClient } from './database/connect.ts';
import { markRestored } from './database/createSchema.ts';
import { type SchemaName, schemaNames } from './manifest.ts';
import type { Progress } from './progress.ts';
import { type ListedErasure, repeatErasures } from './repeatErasures.ts';

interface Dependencies {
  /** To be repeated where the earlier state has the person. */
  erasures: ListedErasure[];
  progress: Progress;
}

/**
 * Prepares a database that was set back to an earlier state by other means than a backup of this command, such as a
 * point-in-time recovery. The services must be stopped.
 */
export async function prepareRecovered(dependencies: Dependencies & { databaseUrl: string }): Promise<void> {
  await withClient(dependencies.databaseUrl, (client) =>
    inTransaction(client, 'BEGIN', async () => {
      for (const schema of schemaNames)
        await asOwner(client, schema, () => prepareSchema(client, schema, dependencies));
    }),
  );
}

/**
 * Prepares a schema that was set back to an earlier state, before its service starts. Events of that state are sent again, and
 * erasures since then are repeated; ids and credentials that were given since then never refer to anyone else (D62). Runs as the owner of the schema.
 */
export async function prepareSchema(
  client: Client,
  schema: SchemaName,
  { erasures, progress }: Dependencies,
): Promise<void> {
  await skipIds(client, schema);
  await sendEventsAgain(client, schema);
  if (schema === 'auth') {
    await revokeCredentials(client);
    await repeatErasures(client, erasures, progress);
  }
  // The services sign file links with this text, too (shared/src/submissions/openServiceFiles.ts).
  await markRestored(client, schema, randomUUID());
}

// Half of the remaining ids where there are fewer. A sequence that is unused here may have been used since.
const skip = `
  SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last + least(1000000, (max_value - last) / 2))
  FROM (SELECT *, coalesce(last_value, 0) AS last FROM pg_sequences WHERE schemaname = $1) AS sequences
  WHERE max_value > last`;

/** Leaves a gap in every id sequence: ids that were given after the earlier state are not given again. */
async function skipIds(client: Client, schema: SchemaName): Promise<void> {
  await client.query(skip, [schema]);
}

/*
 * Events that were at the broker are not in a backup. The outbox keeps sent events for seven days: all of them are sent
 * again, and consumers skip those that their inbox has.
 */
async function sendEventsAgain(client: Client, schema: SchemaName): Promise<void> {
  const { rows } = await client.query('SELECT to_regclass($1) AS name', [`${schema}.outbox`]);
  if (rows[0]?.name)
    await client.query(
      `UPDATE ${schema}.outbox SET sent_at = NULL, claimed_until = NULL WHERE sent_at IS NOT NULL`,
    );
}

// As auth retires a key (services/auth/src/data/signingKeyRepository.ts). Receipts, which may attest work that the earlier
// state lacks, still verify.
const retireKeys = `
  UPDATE auth.signing_keys SET spent_at = now(), sealed_private_key = NULL WHERE spent_at IS NULL RETURNING kid`;
const revokeKeys = `
  INSERT INTO auth.revocations (key_id, expires_at) SELECT unnest($1::text[]), now() + interval '30 days'`;
const listsKeys = `
  SELECT FROM pg_attribute WHERE attrelid = 'auth.revocations'::regclass AND attname = 'key_id'`;

/** Ends all sessions, and retires and revokes all signing keys. Auth creates a new key when it starts. */
async function revokeCredentials(client: Client): Promise<void> {
  await client.query('UPDATE auth.sessions SET ended_at = now() WHERE ended_at IS NULL');
  const { rows } = await client.query<{ kid: string }>(retireKeys);
  // Verifiers that start later do not get these keys; one that kept running may have them.
  if ((await client.query(listsKeys)).rowCount === 1)
    await client.query(revokeKeys, [rows.map(({ kid }) => kid)]);
}
