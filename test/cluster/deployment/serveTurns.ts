import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Serves turns at a free port: a connection sends the name of a part, and has it from the answer until its end. */
export async function serveTurns(): Promise<{ port: number; close(): void }> {
  const queues = new Map<string, Socket[]>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A test process that was killed.
    socket.on('error', () => {});
    socket.once('data', (name) => {
      const queue = queues.get(String(name)) ?? [];
      queues.set(String(name), queue);
      if (queue.push(socket) === 1) socket.write('go');
      socket.once('close', () => {
        const had = queue[0] === socket;
        queue.splice(queue.indexOf(socket), 1);
        if (had) queue[0]?.write('go');
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
