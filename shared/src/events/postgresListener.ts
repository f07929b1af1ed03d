import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../process/logger.ts';
import type { EventListener } from './broker.ts';
import type { EventType } from './catalog.ts';

/** LISTEN/NOTIFY channel of the embedded broker. The payload is an event type. */
export const notificationChannel = 'learning_events';

const reconnectDelayMs = 500;
// A listener sends nothing, so it would not notice that the machine of the server is gone.
const heartbeatMs = 10_000;
const answerMs = 5_000;

type Wake = (type: EventType) => void;

/** Receives the embedded broker's notifications on a dedicated connection, which is reopened whenever it ends. */
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
      query_timeout: answerMs,
      keepAlive: true,
    });
    const heartbeat = setInterval(() => void this.#check(client), heartbeatMs);
    this.#client = client;
    client.on('notification', ({ payload }) => {
      if (types.includes(payload as EventType)) wake(payload as EventType);
    });
    client.on('error', (error) => this.#log.warn({ err: error }, 'event listener connection failed'));
    client.on('end', () => {
      clearInterval(heartbeat);
      void this.#reconnect(types, wake);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${notificationChannel}`);
    } catch (error) {
      this.#log.warn({ err: error }, 'event listener could not connect; retrying');
      await client.end().catch(() => {});
    }
  }

  // With a statement in progress, `end` closes the connection without waiting for the server.
  async #check(client: Client): Promise<void> {
    try {
      await client.query('SELECT');
    } catch (error) {
      this.#log.warn({ err: error }, 'event listener connection failed');
      await client.end().catch(() => {});
    }
  }

  async #reconnect(types: EventType[], wake: Wake): Promise<void> {
    await sleep(reconnectDelayMs);
    if (!this.#closing) await this.listen(types, wake);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#client?.end().catch(() => {});
  }
}
