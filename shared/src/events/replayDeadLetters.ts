import type { Setting } from '../config/readConfig.ts';
import { runCommand } from '../process/runCommand.ts';
import type { ConsumerName } from './catalog.ts';
import { openBroker } from './openBroker.ts';

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
