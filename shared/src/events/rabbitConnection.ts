import { type ChannelModel, connect } from 'amqplib';

/** Connects to RabbitMQ and reconnects automatically. `setup` runs on every new connection. */
export function connectRecovering(url: string, setup: (model: ChannelModel) => Promise<void>) {
  const address = new URL(url);
  // Detects a broker that hangs with its connection still open, after two missed heartbeats.
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', '5');
  return connect(address.href, {
    timeout: 3_000,
    keepAlive: true,
    noDelay: true,
    recovery: { initialDelay: 200, maxDelay: 2_000, waitForConnect: false, setup },
  });
}
