import type { Sequelize } from 'sequelize';
import type { ProcessContext } from '../process/runProcess.ts';
import type { Broker } from './broker.ts';
import { openBroker } from './openBroker.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { measureOutbox } from './outboxMetrics.ts';
import { startOutboxRelay } from './outboxRelay.ts';

export interface BrokerWithOutbox {
  broker: Broker;
  outbox: Outbox;
}

/**
 * Opens the broker and starts the relay that publishes the service's outbox. The broker is not a readiness check: while
 * it is unreachable, requests succeed and their events stay in the outbox.
 */
export async function openBrokerWithOutbox(
  { config, log, onStop }: ProcessContext<{ eventsUrl: string }>,
  sequelize: Sequelize,
): Promise<BrokerWithOutbox> {
  const broker = await openBroker({ url: config.eventsUrl, log });
  onStop('the broker', () => broker.close());
  const relay = startOutboxRelay(sequelize, broker, log);
  onStop('the outbox relay', () => relay.stop());
  onStop('the outbox metrics', measureOutbox(sequelize));
  return { broker, outbox: createOutbox(sequelize, relay) };
}
