import { counter, gauge, histogram } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';
import type { Outcome, QueueDepths } from './broker.ts';
import { type ConsumerName, subscriptions } from './catalog.ts';
import type { CloudEvent } from './cloudEvent.ts';

const handled = counter(
  'gradeway_events_handled_total',
  'Delivered events by outcome: done; later (delayed, no attempt used up); failed (one attempt used up)',
  ['type', 'outcome'],
);
const lag = histogram(
  'gradeway_event_lag_seconds',
  'Time from the change that an event describes to its effect in this service, including delays and retries',
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  ['type'],
);
const handling = histogram(
  'gradeway_event_handling_seconds',
  'Time to handle a delivered event',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ['type'],
);
const messages = gauge(
  'gradeway_queue_messages',
  'Messages in the queues of the consumer: waiting for delivery, retrying after a pause, dead letters',
  ['consumer', 'state'],
);
const states = ['waiting', 'retrying', 'dead'] as const satisfies readonly (keyof QueueDepths)[];
const dead = counter('gradeway_dead_letters_total', 'Messages that this process moved to the dead letters', [
  'consumer',
]);

/** Measures the handling of a delivered event. */
export async function measureHandling(
  consumer: ConsumerName,
  event: CloudEvent,
  handle: () => Promise<Outcome>,
): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await handle();
  const type = knownType(consumer, event.type);
  handled.inc({ type, outcome });
  handling.observe({ type }, (performance.now() - startedAt) / 1000);
  const seconds = (Date.now() - Date.parse(event.time)) / 1000;
  // Negative if the clocks of two machines differ; NaN if the event has no valid time.
  if (outcome === 'done' && !Number.isNaN(seconds)) lag.observe({ type }, Math.max(0, seconds));
  return outcome;
}

const knownType = (consumer: ConsumerName, type: string): string =>
  (subscriptions[consumer] as readonly string[]).includes(type) ? type : 'unknown';

/** Lets the counts of a consumer's event types begin at 0. */
export function countFromZero(consumer: ConsumerName): void {
  for (const type of subscriptions[consumer])
    for (const outcome of ['done', 'later', 'failed']) handled.inc({ type, outcome }, 0);
}

/** Measures a consumer's queues on each scrape. Returns a function that stops measuring. */
export function measureQueues(
  consumer: ConsumerName,
  broker: { depths(consumer: ConsumerName): Promise<QueueDepths> },
): () => void {
  dead.inc({ consumer }, 0);
  return collectAtScrape({
    async collect() {
      const depths = await broker.depths(consumer);
      for (const state of states) messages.set({ consumer, state }, depths[state]);
    },
    // A process can have several consumers.
    clear() {
      for (const state of states) messages.remove({ consumer, state });
    },
  });
}

export const countDeadLetter = (consumer: ConsumerName): void => dead.inc({ consumer });
