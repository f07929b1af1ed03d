import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { freePort } from '@gradeway/local/ports';
import { type Rabbit, startRabbit } from './rabbitmq.ts';
import { joinSockets } from './serviceBalancer.ts';

export interface RabbitCluster {
  /** Leads to the first node that accepts connections, like a Service to its ready pods. */
  url: string;
  nodes: [Rabbit, Rabbit, Rabbit];
  /** The nodes that lead, and those that store, each queue, as a living node knows them. */
  queues(): Promise<Queue[]>;
  stop(): Promise<void>;
}

interface Queue {
  name: string;
  leader: string;
  /** The nodes that store it and are running. */
  online: string[];
}

/** Starts three RabbitMQ servers that form one cluster. */
export async function startRabbitCluster(): Promise<RabbitCluster> {
  const shared = { epmd: await freePort(), cookie: randomUUID() };
  const first = await startRabbit(undefined, shared);
  const others: Rabbit[] = [];
  for (let each = 0; each < 2; each += 1) {
    const other = await startRabbit(undefined, shared);
    others.push(other);
    await other.control('stop_app');
    await other.control('join_cluster', first.node);
    await other.control('start_app');
  }
  const nodes = [first, ...others] as RabbitCluster['nodes'];
  const forwarder = await startForwarder(nodes.map(({ port }) => port));
  return {
    url: `amqp://guest:guest@127.0.0.1:${forwarder.port}`,
    nodes,
    async queues() {
      const text = await nodes[1].control(
        'list_queues',
        'name',
        'type',
        'leader',
        'online',
        '--formatter',
        'json',
      );
      const rows = JSON.parse(text) as (Queue & { type: string })[];
      // The queues of listeners are not replicated.
      return rows.filter(({ type }) => type.includes('quorum'));
    },
    async stop() {
      forwarder.close();
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}

async function startForwarder(ports: number[]) {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  const forward = (client: Socket, [port, ...others]: number[]) => {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const node = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const next = () => forward(client, others);
    node.once('error', next);
    node.once('connect', () => {
      node.off('error', next);
      joinSockets(client, node);
      keep(node);
    });
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    keep(client);
    client.on('error', () => client.destroy());
    forward(client, ports);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
