// The network of slow phones, in front of a gateway: node bench/k6/slowNetwork.ts (settings below). Runs in Node.js, not in k6.
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { pathToFileURL } from 'node:url';

interface Options {
  /** The gateway, http:// or https://. */
  target: URL;
  port: number;
  /** Bytes per second of each connection to the gateway. */
  rate: number;
  /** The share of connections that break, somewhere in their first `breakWithin` bytes. */
  breaking: number;
  breakWithin: number;
  random?: () => number;
}

/** Forwards connections on 127.0.0.1. Responses are not slowed down. */
export function startSlowNetwork({
  target,
  port,
  random = Math.random,
  ...network
}: Options): Promise<Server> {
  const server = createServer((phone) => {
    const gateway = connectTo(target);
    const breaksAt = random() < network.breaking ? random() * network.breakWithin : Number.POSITIVE_INFINITY;
    const end = () => {
      phone.destroy();
      gateway.destroy();
    };
    for (const socket of [phone, gateway]) socket.on('error', end).on('close', end);
    gateway.pipe(phone);
    forwardSlowly({ phone, gateway, rate: network.rate, breaksAt, end });
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  if (protocol === 'https:')
    return connectTls({ host: hostname, port: Number(port || 443), servername: hostname });
  return connectTcp({ host: hostname, port: Number(port || 80) });
}

interface Forwarding {
  phone: Socket;
  gateway: Socket;
  rate: number;
  breaksAt: number;
  end(): void;
}

function forwardSlowly({ phone, gateway, rate, breaksAt, end }: Forwarding): void {
  let sent = 0;
  phone.on('data', (chunk: Buffer) => {
    sent += chunk.length;
    if (sent > breaksAt) return end();
    phone.pause();
    const isFree = gateway.write(chunk);
    // Waits as long as the chunk takes on a slow line, and until the gateway has accepted it.
    const resume = () => setTimeout(() => phone.resume(), (chunk.length / rate) * 1_000);
    if (isFree) resume();
    else gateway.once('drain', resume);
  });
  phone.on('end', () => gateway.end());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const {
    GATEWAY_URL = 'http://127.0.0.1:8080',
    PORT = '9090',
    RATE = '262144',
    BREAKING = '0.3',
  } = process.env;
  const breakWithin = Number(process.env.BREAK_WITHIN ?? 1_000_000);
  const options = {
    target: new URL(GATEWAY_URL),
    port: Number(PORT),
    rate: Number(RATE),
    breaking: Number(BREAKING),
  };
  await startSlowNetwork({ ...options, breakWithin });
  console.log(`127.0.0.1:${PORT} → ${GATEWAY_URL}, ${RATE} bytes/s, ${BREAKING} of the connections break`);
}
