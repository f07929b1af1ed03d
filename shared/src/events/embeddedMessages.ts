import type { Job, PgBoss } from 'pg-boss';
import type { MessageChanges } from './broker.ts';
import { type CloudEvent, type Envelope, readEvent } from './cloudEvent.ts';
import { schema } from './embeddedQueues.ts';

/** A message of the embedded broker, as pg-boss stores it. */
export interface Message {
  envelope: Envelope;
  attempts: number;
}

const smallestId = '00000000-0000-0000-0000-000000000000';
const selectJobs = `
  SELECT id, name, data FROM ${schema}.job WHERE name = ANY($1) AND id > $2 ORDER BY id LIMIT 500`;
const updateJob = `
  UPDATE ${schema}.job SET data = jsonb_set(data, '{envelope,event}', $3::jsonb) WHERE name = $1 AND id = $2`;
const deleteJob = `DELETE FROM ${schema}.job WHERE name = $1 AND id = $2`;

/**
 * Rewrites the messages of the queues in every state, because delivered ones stay in the table for a day. Yields the
 * number of changed messages after each batch.
 */
export async function* rewriteMessages(
  boss: PgBoss,
  queues: string[],
  changes: MessageChanges,
): AsyncGenerator<number> {
  for (let last = smallestId; ; ) {
    const jobs: Job<Message>[] = (await boss.getDb().executeSql(selectJobs, [queues, last])).rows;
    let changed = 0;
    for (const job of jobs) if (await rewriteMessage(boss, job, changes)) changed += 1;
    yield changed;
    const end = jobs.at(-1);
    if (!end) return;
    last = end.id;
  }
}

async function rewriteMessage(
  boss: PgBoss,
  { id, name, data }: Job<Message>,
  changes: MessageChanges,
): Promise<boolean> {
  const event = eventOf(data);
  if (!event && !changes.deletesUnreadable(JSON.stringify(data))) return false;
  const changed = event && changes.event(event);
  if (event && changed === event) return false;
  const db = boss.getDb();
  if (!changed) await db.executeSql(deleteJob, [name, id]);
  else await db.executeSql(updateJob, [name, id, JSON.stringify(changed)]);
  return true;
}

function eventOf(message: Message | null): CloudEvent | undefined {
  try {
    return readEvent(message?.envelope?.event);
  } catch {
    return undefined;
  }
}
