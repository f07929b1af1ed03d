import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the number of connections without a request in progress: idle connections, and those whose headers have not
 * arrived. Above the limit, the connection that has been idle longest is closed to make room for a new one.
 * (`maxConnections` of Node.js would reject the new one instead.)
 */
export function limitIdleConnections(server: Server, limit: number): void {
  // In the order in which they became idle.
  const idle = new Set<Socket>();
  const requestsOf = new WeakMap<Socket, number>();

  function becomeIdle(socket: Socket): void {
    idle.add(socket);
    if (idle.size <= limit) return;
    const [longestIdle] = idle;
    if (!longestIdle) return;
    idle.delete(longestIdle);
    longestIdle.destroy();
  }

  function count(socket: Socket, change: 1 | -1): number {
    const requests = (requestsOf.get(socket) ?? 0) + change;
    requestsOf.set(socket, requests);
    return requests;
  }

  server.on('connection', (socket) => {
    socket.once('close', () => idle.delete(socket));
    becomeIdle(socket);
  });
  server.on('request', ({ socket }, res) => {
    idle.delete(socket);
    count(socket, 1);
    res.once('close', () => {
      if (count(socket, -1) === 0 && !socket.destroyed) becomeIdle(socket);
    });
  });
}
