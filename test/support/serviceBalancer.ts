import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from './serviceProcess.ts';

type Replica = Pick<ServiceProcess, 'url' | 'grpcAddress' | 'adminUrl'>;

export interface ServiceBalancer {
  url: string;
  grpcAddress: string;
  /** The replicas that there are; new connections go to those that say that they are ready. */
  replicas: Set<Replica>;
  close(): Promise<void>;
}

const probeMs = 100;

/**
 * Does for processes what a Kubernetes Service does for pods: gives each new TCP connection to one of the replicas
 * that were ready when last asked, in turn, and leaves connections that stand alone.
 */
export async function startBalancer(): Promise<ServiceBalancer> {
  const replicas = new Set<Replica>();
  let ready: Replica[] = [];
  let closed = false;
  let turn = 0;
  const open = new Set<Socket>();

  const probing = (async () => {
    while (!closed) {
      const asked = [...replicas];
      const answers = await Promise.all(asked.map(isReady));
      ready = asked.filter((replica, index) => answers[index] && replicas.has(replica));
      await sleep(probeMs);
    }
  })();

  const forward = (portOf: (replica: Replica) => number) =>
    listen((client) => {
      turn += 1;
      const replica = ready[turn % ready.length];
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
      join(client, upstream);
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
  const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

// An end is passed on as an end, a reset as a reset.
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.resetAndDestroy());
  }
}
