import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { asOwner, inTransaction, withClient } from './database/connect.ts';
import { markRestored } from './database/createSchema.ts';
import { type SchemaName, schemaNames } from './manifest.ts';
import type { Progress } from './progress.ts';
import { type ListedErasure, repeatErasures } from './repeatErasures.ts';

interface Dependencies {
  /** Erasures to repeat for people in the earlier state. */
  erasures: ListedErasure[];
  progress: Progress;
}

/**
 * Prepares a database that was reset to an earlier state by means other than this command, such as point-in-time
 * recovery. The services must be stopped.
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
 * Prepares a schema that was reset to an earlier state, before its service starts. Sends the events of that state again
 * and repeats the erasures since then. Ids and credentials issued since then will never refer to anyone else (D62).
 * Runs as the owner of the schema.
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
  // The services also sign file links with this text (shared/src/submissions/openServiceFiles.ts).
  await markRestored(client, schema, randomUUID());
}

// Skips half of the remaining ids if that is less. A sequence that is unused here may have been used since.
const skip = `
  SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last + least(1000000, (max_value - last) / 2))
  FROM (SELECT *, coalesce(last_value, 0) AS last FROM pg_sequences WHERE schemaname = $1) AS sequences
  WHERE max_value > last`;

/** Leaves a gap in every id sequence, so that ids issued after the earlier state are not issued again. */
async function skipIds(client: Client, schema: SchemaName): Promise<void> {
  await client.query(skip, [schema]);
}

/*
 * A backup does not contain events that were at the broker. The outbox keeps sent events for seven days: all of them
 * are sent again, and consumers skip those already in their inbox.
 */
async function sendEventsAgain(client: Client, schema: SchemaName): Promise<void> {
  const { rows } = await client.query('SELECT to_regclass($1) AS name', [`${schema}.outbox`]);
  if (rows[0]?.name)
    await client.query(
      `UPDATE ${schema}.outbox SET sent_at = NULL, claimed_until = NULL WHERE sent_at IS NOT NULL`,
    );
}

// Retires keys the way auth does (services/auth/src/data/signingKeyRepository.ts). Receipts still verify; they may
// attest work that the earlier state lacks.
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
  // Verifiers that start later do not get these keys, but verifiers that kept running may have cached them.
  if ((await client.query(listsKeys)).rowCount === 1)
    await client.query(revokeKeys, [rows.map(({ kid }) => kid)]);
}
