import type { Sequelize } from 'sequelize';
import type { Broker } from './events/broker.ts';
import { openBroker } from './events/openBroker.ts';
import { createOutbox, type Outbox } from './events/outbox.ts';
import { type OutboxRelay, startOutboxRelay } from './events/outboxRelay.ts';
import { measureOutbox } from './metrics/outbox.ts';
import type { Process } from './runProcess.ts';

export interface Events {
  broker: Broker;
  outbox: Outbox;
}

/**
 * Opens the broker and starts to publish what the service's outbox holds. Readiness does not depend on the
 * broker: while it is away requests succeed and their events wait.
 */
export async function openEvents(
  { config, log, onStop }: Process<{ eventsUrl: string }>,
  sequelize: Sequelize,
): Promise<Events> {
  const broker = await openBroker({ url: config.eventsUrl, log });
  onStop('the broker', () => broker.close());
  const relay: OutboxRelay = startOutboxRelay(sequelize, broker, log);
  onStop('the outbox relay', () => relay.stop());
  onStop('measuring the outbox', measureOutbox(sequelize));
  return { broker, outbox: createOutbox(sequelize, () => relay.wake()) };
}
