import type { Setting } from '../config/readConfig.ts';
import { type Command, defineCommand } from '../process/runCommand.ts';
import type { ConsumerName } from './catalog.ts';
import { openBroker } from './openBroker.ts';

/** Moves dead letters back to their consumers' queues once the cause has been fixed. */
export const replayDeadLettersCommand = (
  consumers: ConsumerName[],
  settings: { eventsUrl: Setting<string> },
): Command =>
  defineCommand({
    title: `${consumers[0]}: dead letters`,
    summary: 'moves the dead letters back to their queues',
    settings,
    async work({ config, log, onStop }) {
      const broker = await openBroker({ url: config.eventsUrl, log });
      onStop(() => broker.close());
      const lines: string[] = [];
      for (const consumer of consumers) {
        const replayed = await broker.deadLetters.replay(consumer);
        lines.push(`${consumer}: ${replayed} dead letters replayed`);
      }
      return lines.join('\n');
    },
  });
