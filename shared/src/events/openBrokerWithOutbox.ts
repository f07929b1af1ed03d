import type { Sequelize } from 'sequelize';
import { measureOutbox } from '../metrics/outbox.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import type { Broker } from './broker.ts';
import { openBroker } from './openBroker.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { type OutboxRelay, startOutboxRelay } from './outboxRelay.ts';

export interface BrokerWithOutbox {
  broker: Broker;
  outbox: Outbox;
}

/**
 * Opens the broker and starts to publish what the service's outbox holds. Readiness does not depend on the
 * broker: while it is away requests succeed and their events wait.
 */
export async function openBrokerWithOutbox(
  { config, log, onStop }: ProcessContext<{ eventsUrl: string }>,
  sequelize: Sequelize,
): Promise<BrokerWithOutbox> {
  const broker = await openBroker({ url: config.eventsUrl, log });
  onStop('the broker', () => broker.close());
  const relay: OutboxRelay = startOutboxRelay(sequelize, broker, log);
  onStop('the outbox relay', () => relay.stop());
  onStop('measuring the outbox', measureOutbox(sequelize));
  return { broker, outbox: createOutbox(sequelize, () => relay.wake()) };
}
