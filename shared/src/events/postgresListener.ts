import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../process/logger.ts';
import type { EventListener } from './broker.ts';
import type { EventType } from './catalog.ts';

/** Where the embedded broker tells that there was an event. */
export const channel = 'learning_events';

type Wake = (type: EventType) => void;

/** Hears of the embedded broker's events, on a connection of its own that is made anew whenever it ends. */
export class PostgresListener implements EventListener {
  readonly #url: string;
  readonly #log: Logger;
  #client: Client | undefined;
  #closing = false;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  async listen(types: EventType[], wake: Wake): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
    });
    this.#client = client;
    client.on('notification', ({ payload }) => {
      if (types.includes(payload as EventType)) wake(payload as EventType);
    });
    client.on('error', (error) => this.#log.warn({ err: error }, 'embedded broker'));
    client.on('end', () => void this.#listenAgain(types, wake));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      this.#log.warn({ err: error }, 'embedded broker');
      await client.end().catch(() => {});
    }
  }

  async #listenAgain(types: EventType[], wake: Wake): Promise<void> {
    await sleep(500);
    if (!this.#closing) await this.listen(types, wake);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#client?.end().catch(() => {});
  }
}
