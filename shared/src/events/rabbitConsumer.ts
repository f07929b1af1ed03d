import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage, Message } from 'amqplib';
import type { Logger } from '../process/logger.ts';
import { concurrentDeliveries, deliveryLimit, type Outcome } from './broker.ts';
import type { ConsumerName } from './catalog.ts';
import { type Envelope, readEvent } from './cloudEvent.ts';
import type { ConfirmedPublisher } from './confirmedPublisher.ts';
import { countDeadLetter } from './consumerMetrics.ts';
import type { DeclaredQueues } from './rabbitTopology.ts';

const attemptsHeader = 'x-attempts';
const settlePauseMs = 1_000;

interface Dependencies {
  queues: DeclaredQueues;
  receive(envelope: Envelope): Promise<Outcome>;
  /** @throws Error while the broker is disconnected */
  publisher(): ConfirmedPublisher;
  log: Logger;
}

/** Consumes one queue. After a reconnect it is started again with a new channel. */
export class RabbitConsumer {
  readonly #dependencies: Dependencies;
  readonly #inProgress = new Set<Promise<void>>();
  #subscription: { channel: ConfirmChannel; tag: string } | undefined;
  #starting: Promise<void> | undefined;
  #isStopped = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  get name(): ConsumerName {
    return this.#dependencies.queues.consumer;
  }

  /** Has no effect after `stop`, which can be called while the broker is still connecting. */
  async start(channel: ConfirmChannel): Promise<void> {
    if (this.#isStopped) return;
    this.#starting = this.#subscribe(channel);
    await this.#starting;
  }

  async #subscribe(channel: ConfirmChannel): Promise<void> {
    const { queues, log } = this.#dependencies;
    this.#subscription = undefined;
    await channel.prefetch(concurrentDeliveries);
    const { consumerTag: tag } = await channel.consume(queues.main, (message) => {
      if (!message) {
        log.warn('the broker cancelled the consumer');
        void channel.close().catch(() => {});
        return;
      }
      const delivery = this.#handle(channel, message).finally(() => this.#inProgress.delete(delivery));
      this.#inProgress.add(delivery);
    });
    this.#subscription = { channel, tag };
  }

  /** Stops deliveries permanently, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    try {
      await this.#starting;
      await this.#subscription?.channel.cancel(this.#subscription.tag);
    } catch {
      // The channel is closed, so there are no further deliveries.
    }
    await Promise.allSettled(this.#inProgress);
  }

  /*
   * A failed message is not requeued, because RabbitMQ would redeliver it immediately and without limit. Instead, a
   * copy is published to the retry queue, which returns it after a pause, or to the dead letters. The original is
   * acknowledged after the broker has confirmed the copy, so a crash in between duplicates it but never loses it.
   */
  async #handle(channel: ConfirmChannel, message: ConsumeMessage): Promise<void> {
    const outcome = await this.#receive(message);
    if (outcome !== 'done' && !(await this.#republishUntilConfirmed(channel, message, outcome))) return;
    try {
      channel.ack(message);
    } catch (error) {
      // The channel has closed. The broker redelivers unacknowledged messages.
      this.#dependencies.log.warn({ err: error }, 'could not settle a message');
    }
  }

  /*
   * A busy broker may fail to confirm in time while the channel stays open. It does not redeliver the message until the
   * channel closes, so the copy is published again. Returns false if the consumer has stopped or has another channel:
   * then the broker redelivers.
   */
  async #republishUntilConfirmed(
    channel: ConfirmChannel,
    message: ConsumeMessage,
    outcome: Exclude<Outcome, 'done'>,
  ): Promise<boolean> {
    for (;;) {
      try {
        await this.#republish(message, outcome);
        return true;
      } catch (error) {
        this.#dependencies.log.warn({ err: error }, 'could not settle a message');
      }
      if (this.#isStopped || this.#subscription?.channel !== channel) return false;
      await sleep(settlePauseMs);
    }
  }

  async #receive(message: ConsumeMessage): Promise<Outcome> {
    const { receive, log } = this.#dependencies;
    try {
      const event = readEvent(message.content.toString('utf8'));
      const traceparent = message.properties.headers?.traceparent;
      return await receive({ event, traceparent: typeof traceparent === 'string' ? traceparent : null });
    } catch (error) {
      log.error({ err: error }, 'message is not a valid event');
      return 'failed';
    }
  }

  async #republish(message: ConsumeMessage, outcome: Outcome): Promise<void> {
    const { queues, publisher, log } = this.#dependencies;
    const attempts = attemptsOf(message) + (outcome === 'failed' ? 1 : 0);
    const { exchange } = queues;
    if (attempts < deliveryLimit) {
      await republish(publisher(), message, { exchange, queue: queues.retry, attempts });
      return;
    }
    const { messageId } = message.properties;
    log.error({ message_id: messageId }, 'attempts used up; message moved to the dead letters');
    await republish(publisher(), message, { exchange, queue: queues.dead, attempts });
    countDeadLetter(queues.consumer);
  }
}

/** The number of failed attempts so far. */
export const attemptsOf = ({ properties }: Message): number =>
  Number(properties.headers?.[attemptsHeader] ?? 0);

/** Publishes a copy of a message to a queue of the exchange, with the number of attempts so far. */
export function republish(
  publisher: ConfirmedPublisher,
  message: Message,
  { exchange, queue, attempts }: { exchange: string; queue: string; attempts: number },
): Promise<void> {
  const { traceparent } = message.properties.headers ?? {};
  return publisher.publish(exchange, queue, message.content, {
    messageId: message.properties.messageId,
    headers: { [attemptsHeader]: attempts, ...(traceparent ? { traceparent } : {}) },
    mustRoute: true,
  });
}
