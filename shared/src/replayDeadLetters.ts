import type { ConsumerName } from './events/catalog.ts';
import { openBroker } from './events/openBroker.ts';
import type { Setting } from './readConfig.ts';
import { runCommand } from './runCommand.ts';

/** The command that gives a consumer its dead letters once more: after what made them fail was mended. */
export function replayDeadLetters(
  consumer: ConsumerName,
  settings: { eventsUrl: Setting<string> },
): Promise<void> {
  return runCommand(`${consumer}: dead letters`, settings, async ({ config, log, onStop }) => {
    const broker = await openBroker({ url: config.eventsUrl, log });
    onStop('the broker', () => broker.close());
    return `${consumer}: ${await broker.deadLetters.replay(consumer)} dead letters given to their consumer again`;
  });
}
