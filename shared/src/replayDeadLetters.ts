import type { ConsumerName } from './events/catalog.ts';
import { openBroker } from './events/openBroker.ts';
import type { Setting } from './readConfig.ts';
import { runCommand } from './runCommand.ts';

/** The command that gives consumers their dead letters once more: after what made them fail was mended. */
export function replayDeadLetters(
  consumers: ConsumerName[],
  settings: { eventsUrl: Setting<string> },
): Promise<void> {
  return runCommand(`${consumers[0]}: dead letters`, settings, async ({ config, log, onStop }) => {
    const broker = await openBroker({ url: config.eventsUrl, log });
    onStop('the broker', () => broker.close());
    const lines: string[] = [];
    for (const consumer of consumers) {
      const replayed = await broker.deadLetters.replay(consumer);
      lines.push(`${consumer}: ${replayed} dead letters given to their consumer again`);
    }
    return lines.join('\n');
  });
}
