import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { schemaUrl } from '@gradeway/local/provisionDatabase';
import type { Broker } from '@gradeway/shared/events/broker';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import type { LocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import type { SystemUnderTest } from './system.ts';

/** The URL of the embedded broker of a local run. */
export async function embeddedBrokerUrl(system: LocalSystem): Promise<string> {
  const secrets = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const { port } = await system.process('postgres');
  const adminUrl = superuserUrl({ port, password: secrets.postgres });
  return schemaUrl(adminUrl, 'gradeway', 'broker', secrets.roles.broker);
}

/** Lets a function publish events on a system's broker, as a service would. */
export async function withBroker(url: string, work: (broker: Broker) => Promise<void>): Promise<void> {
  const broker = await openBroker({ url, log: createLogger('fault table', 'silent') });
  try {
    await work(broker);
  } finally {
    await broker.close();
  }
}

const publish = (broker: Broker, event: CloudEvent) =>
  waitFor(() => broker.publish({ event, traceparent: null }).then(() => true));

/** Publishes an event that no consumer can apply, and waits until it is a dead letter of courses. */
export async function publishPoison(broker: Broker): Promise<void> {
  const before = await waitFor(async () => ({ dead: await broker.deadLetters.count('courses') }));
  const event = createEvent('quiz', 'quiz.submission.graded.v1', 'submissions/0', {
    submission_id: 'poison',
  } as never);
  await publish(broker, event as CloudEvent);
  await waitFor(async () => (await broker.deadLetters.count('courses')) > before.dead);
}

/** Delivers the latest gradings again: every event five times, the newest first, and copies of them under other ids. */
export async function publishAgain(broker: Broker, system: SystemUnderTest): Promise<void> {
  const rows = await system.query<{ body: CloudEvent }>(
    `SELECT body FROM quiz.outbox WHERE type = 'quiz.submission.graded.v1' AND sent_at IS NOT NULL
     ORDER BY position DESC LIMIT 20`,
  );
  for (let each = 0; each < 5; each += 1)
    for (const { body } of rows) {
      await publish(broker, body);
      if (each === 0) await publish(broker, { ...body, id: crypto.randomUUID() });
    }
}
