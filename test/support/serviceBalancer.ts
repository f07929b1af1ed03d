import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient } from './httpClient.ts';
import type { ServiceProcess } from './serviceProcess.ts';

type Replica = Pick<ServiceProcess, 'url' | 'grpcAddress' | 'adminUrl'>;

export interface ServiceBalancer {
  url: string;
  grpcAddress: string;
  /** New connections go to the ready ones of these replicas. */
  replicas: Set<Replica>;
  close(): Promise<void>;
}

const probeMs = 100;
const answerMs = 10_000;

/**
 * Balances like a Kubernetes Service: each new TCP connection goes to the next replica that was ready at the last
 * probe that got a response. On a busy machine a probe may take seconds, whatever the state of the replica. Open
 * connections stay where they are.
 */
export async function startBalancer(): Promise<ServiceBalancer> {
  const replicas = new Set<Replica>();
  const probes = new Map<Replica, Promise<void>>();
  const ready = new Set<Replica>();
  let closed = false;
  let turn = 0;
  const open = new Set<Socket>();

  const probe = async (replica: Replica) => {
    for (; !closed && replicas.has(replica); await sleep(probeMs)) {
      if (await isReady(replica)) ready.add(replica);
      else ready.delete(replica);
    }
    ready.delete(replica);
    probes.delete(replica);
  };
  const probing = (async () => {
    for (; !closed; await sleep(probeMs))
      for (const replica of replicas) if (!probes.has(replica)) probes.set(replica, probe(replica));
    await Promise.all(probes.values());
  })();

  const forward = (portOf: (replica: Replica) => number) =>
    listen((client) => {
      turn += 1;
      const available = [...ready].filter((replica) => replicas.has(replica));
      const replica = available[turn % available.length];
      if (!replica) {
        client.destroy();
        return;
      }
      const upstream = connect({
        port: portOf(replica),
        host: '127.0.0.1',
        noDelay: true,
        allowHalfOpen: true,
      });
      joinSockets(client, upstream);
      for (const socket of [client, upstream]) {
        open.add(socket);
        socket.once('close', () => open.delete(socket));
      }
    });
  const http = await forward(({ url }) => Number(new URL(url).port));
  const grpc = await forward(({ grpcAddress }) => Number(grpcAddress.split(':')[1]));
  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  return {
    url: `http://127.0.0.1:${portOf(http)}`,
    grpcAddress: `127.0.0.1:${portOf(grpc)}`,
    replicas,
    async close() {
      closed = true;
      for (const server of [http, grpc]) server.close();
      for (const socket of open) socket.destroy();
      await probing;
    },
  };
}

async function isReady({ adminUrl }: Replica): Promise<boolean> {
  const client = createHttpClient({ baseUrl: adminUrl });
  const probe = client.request('GET', '/readyz', { signal: AbortSignal.timeout(answerMs) });
  return (await probe.catch(() => undefined))?.status === 200;
}

function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Forwards between two sockets: an end as an end, a reset as a reset. */
export function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.resetAndDestroy());
  }
}
