import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * The message of a connection: the part of the cluster that it waits for, and whether it can share that part with
 * others.
 */
export interface TurnRequest {
  part: string;
  shared: boolean;
}

interface Waiting {
  socket: Socket;
  shared: boolean;
  admitted: boolean;
}

/**
 * Serves turns on a free port: a connection sends a `TurnRequest` as JSON, and holds its part from the response until
 * it closes.
 */
export async function serveTurns(): Promise<{ port: number; close(): void }> {
  const queues = new Map<string, Waiting[]>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A test process that was killed.
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const { part, shared } = JSON.parse(String(request)) as TurnRequest;
      const queue = queues.get(part) ?? [];
      queues.set(part, queue);
      const waiting: Waiting = { socket, shared, admitted: false };
      queue.push(waiting);
      admit(queue);
      socket.once('close', () => {
        queue.splice(queue.indexOf(waiting), 1);
        admit(queue);
      });
    });
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

// In order: the first one, together with those right behind it if all of them share the part.
function admit(queue: Waiting[]): void {
  for (const [index, waiting] of queue.entries()) {
    if (index > 0 && !(waiting.shared && queue[0]?.shared)) return;
    if (!waiting.admitted) waiting.socket.write('go');
    waiting.admitted = true;
  }
}
