import type { Setting } from '../config/readConfig.ts';
import { runCommand } from '../process/runCommand.ts';
import type { ConsumerName } from './catalog.ts';
import { openBroker } from './openBroker.ts';

/** Maintenance command: moves dead letters back to their consumers' queues once the cause has been fixed. */
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
      lines.push(`${consumer}: ${replayed} dead letters replayed`);
    }
    return lines.join('\n');
  });
}
