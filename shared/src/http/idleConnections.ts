import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the connections that have no request in progress: idle ones, and those whose headers have not arrived. Beyond
 * the limit the connection that has waited longest is closed, so that a new one always finds room.
 */
export function limitIdleConnections(server: Server, limit: number): void {
  // In the order in which they began to wait.
  const waiting = new Set<Socket>();
  const inProgress = new WeakMap<Socket, number>();

  function wait(socket: Socket): void {
    waiting.add(socket);
    if (waiting.size <= limit) return;
    const [longest] = waiting;
    if (longest) end(longest);
  }

  function end(socket: Socket): void {
    waiting.delete(socket);
    socket.destroy();
  }

  server.on('connection', (socket) => {
    wait(socket);
    socket.once('close', () => waiting.delete(socket));
  });
  server.on('request', ({ socket }, res) => {
    waiting.delete(socket);
    inProgress.set(socket, (inProgress.get(socket) ?? 0) + 1);
    res.on('close', () => {
      const others = (inProgress.get(socket) ?? 1) - 1;
      inProgress.set(socket, others);
      if (others === 0 && !socket.destroyed) wait(socket);
    });
  });
}
