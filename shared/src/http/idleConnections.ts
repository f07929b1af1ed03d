import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the connections that have no request in progress: idle ones, and those whose headers have not arrived. Beyond
 * the limit the connection that has waited longest is closed, so that a new one always finds room.
 */
export function limitIdleConnections(server: Server, limit: number): void {
  const waiting = new WaitingConnections();
  const connections = new WeakMap<Socket, Connection>();

  function wait(connection: Connection): void {
    waiting.add(connection);
    if (waiting.size <= limit) return;
    const longest = waiting.first;
    if (!longest) return;
    waiting.remove(longest);
    longest.socket.destroy();
  }

  function end(connection: Connection): void {
    connection.inProgress -= 1;
    if (connection.inProgress === 0 && !connection.socket.destroyed) wait(connection);
  }

  server.on('connection', (socket) => {
    const connection: Connection = { socket, inProgress: 0 };
    connections.set(socket, connection);
    wait(connection);
    socket.once('close', () => waiting.remove(connection));
  });
  server.on('request', ({ socket }, res) => {
    const connection = connections.get(socket);
    if (!connection) return;
    waiting.remove(connection);
    connection.inProgress += 1;
    res.on('close', () => end(connection));
  });
}

interface Connection {
  readonly socket: Socket;
  inProgress: number;
  // Its neighbours, while it waits.
  previous?: Connection | undefined;
  next?: Connection | undefined;
}

/**
 * Connections in the order in which they began to wait, as a linked list. Every request removes its connection and adds it
 * again, which would leave the replaced tables of a `Set` as garbage for full collections (decision 55).
 */
class WaitingConnections {
  #first: Connection | undefined;
  #last: Connection | undefined;
  #size = 0;

  get first(): Connection | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  add(connection: Connection): void {
    connection.previous = this.#last;
    if (this.#last) this.#last.next = connection;
    else this.#first = connection;
    this.#last = connection;
    this.#size += 1;
  }

  /** Removes a connection, if it waits. */
  remove(connection: Connection): void {
    const { previous, next } = connection;
    if (!previous && this.#first !== connection) return;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    connection.previous = undefined;
    connection.next = undefined;
    this.#size -= 1;
  }
}
