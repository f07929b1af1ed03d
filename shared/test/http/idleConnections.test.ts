import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { limitIdleConnections } from '../../src/http/idleConnections.ts';

class Connection extends EventEmitter {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function startServer(limit: number) {
  const server = new EventEmitter();
  limitIdleConnections(server as Server, limit);
  return {
    connect(): Connection {
      const connection = new Connection();
      server.emit('connection', connection);
      return connection;
    },
    /** Begins a request. Returns a function that ends its response. */
    request(socket: Connection): () => void {
      const response = new EventEmitter();
      server.emit('request', { socket }, response);
      return () => response.emit('close');
    },
  };
}

test('beyond the limit, the connection whose last response is the oldest is closed', () => {
  const { connect, request } = startServer(3);
  const [first, second, third] = [connect(), connect(), connect()];
  request(first)();
  connect();
  expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  connect();
  expect([first, third].map(({ destroyed }) => destroyed)).toEqual([false, true]);
});

test('a connection counts as idle again only after all of its requests', () => {
  const { connect, request } = startServer(1);
  const connection = connect();
  const [end, endOther] = [request(connection), request(connection)];
  end();
  const idle = connect();
  expect([connection, idle].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  endOther();
  expect([connection, idle].map(({ destroyed }) => destroyed)).toEqual([false, true]);
});

test('connections that close in any order leave the order of the others unchanged', () => {
  const { connect } = startServer(4);
  const [first, second, third, fourth] = [connect(), connect(), connect(), connect()];
  second.destroy();
  fourth.destroy();
  first.destroy();
  const others = [connect(), connect(), connect(), connect()];
  expect([third, ...others].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false]);
});

test('a connection that closes during its request is not idle', () => {
  const { connect, request } = startServer(1);
  const closed = connect();
  const end = request(closed);
  closed.destroy();
  end();
  const [idle, newest] = [connect(), connect()];
  expect([idle, newest].map(({ destroyed }) => destroyed)).toEqual([true, false]);
});
