import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface DatabaseProxy {
  url: string;
  /** Cuts every connection and refuses new ones, like a Service without a ready pod. */
  refuse(): void;
  /** Accepts connections and responds that the database system is starting up. */
  startUp(): Promise<void>;
  /** Keeps open connections but forwards nothing on them any more, as when the machine of the server is gone. */
  freeze(): void;
  /** Forwards to the database again. */
  restore(): Promise<void>;
  /** Forwards new connections to another server. Open ones stay where they are, as with a Service of Kubernetes. */
  switchTo(url: string): void;
  close(): void;
}

// ErrorResponse of Postgres: type, length, fields of severity, code and message.
function startingUp(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const head = Buffer.alloc(5, 'E');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/**
 * A proxy between a process and Postgres that makes the database unavailable without stopping the server that other
 * tests use.
 */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isStarting = false;
  let port = 0;
  let server: Server | undefined;

  const keep = (socket: Socket, onEnd: () => void) => {
    sockets.add(socket);
    socket.on('error', onEnd);
    socket.on('close', () => {
      sockets.delete(socket);
      onEnd();
    });
  };
  const serve = (client: Socket) => {
    if (isStarting) {
      keep(client, () => {});
      client.once('data', () => client.end(startingUp()));
      return;
    }
    const postgres = connect(Number(target.port), target.hostname);
    const destroy = () => {
      client.destroy();
      postgres.destroy();
    };
    keep(client, destroy);
    keep(postgres, destroy);
    client.pipe(postgres).pipe(client);
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listen = async () => {
    if (server) return;
    server = createServer(serve).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const refuse = () => {
    server?.close();
    server = undefined;
    cut();
  };

  await listen();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    refuse,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async startUp() {
      isStarting = true;
      cut();
      await listen();
    },
    async restore() {
      isStarting = false;
      await listen();
    },
    switchTo(other) {
      target = new URL(other);
    },
    close: refuse,
  };
}
