import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { EventType } from './catalog.ts';
import { exchange } from './rabbitTopology.ts';

export interface RabbitListener {
  types: EventType[];
  wake(type: EventType): void;
}

/** Calls `wake` for each event, by a queue that exists only as long as the channel. */
export async function startListening(
  channel: ConfirmChannel,
  { types, wake }: RabbitListener,
): Promise<void> {
  const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
  for (const type of types) await channel.bindQueue(queue, exchange, type);
  const receive = (message: ConsumeMessage | null) => message && wake(message.fields.routingKey as EventType);
  await channel.consume(queue, receive, { noAck: true });
}
