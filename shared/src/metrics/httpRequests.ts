import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { knownMethod, routeOf } from '../http/route.ts';
import { counter, gauge, histogram } from './registry.ts';

// From a cached list to an upload over a slow connection.
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const duration = histogram(
  'http_server_request_duration_seconds',
  'Time from the headers of a request to the end of its response, for complete responses',
  buckets,
  ['http_request_method', 'http_route', 'http_response_status_code'],
);
const active = gauge('http_server_active_requests', 'Requests in progress');
active.set(0);
const aborted = counter(
  'gradeway_http_requests_aborted_total',
  'Requests with an incomplete response: the client disconnected, or the server closed the connection',
  ['http_request_method', 'http_route'],
);
const received = counter(
  'gradeway_http_received_bytes_total',
  'Bytes received from clients, headers included',
  ['http_route'],
);
const sent = counter('gradeway_http_sent_bytes_total', 'Bytes sent to clients, headers included', [
  'http_route',
]);

/** Measures requests by route template; `unmatched` when no route matched. */
export const measureRequest: RequestHandler = (req, res, next) => {
  const startedAt = performance.now();
  const { socket } = req;
  active.inc();
  res.once('close', () => {
    active.dec();
    const route = {
      http_request_method: knownMethod(req.method),
      http_route: routeOf(req, res) ?? 'unmatched',
    };
    if (res.writableFinished) {
      const seconds = (performance.now() - startedAt) / 1000;
      duration.observe({ ...route, http_response_status_code: res.statusCode }, seconds);
    } else aborted.inc(route);
    countBytes(socket, route.http_route);
  });
  next();
};

interface Counted {
  read: number;
  written: number;
}

// Node counts the bytes of a connection, which carries many requests: each is assigned the increase since the last one.
const counted = new WeakMap<Socket, Counted>();

function countBytes(socket: Socket, http_route: string): void {
  const before = counted.get(socket) ?? { read: 0, written: 0 };
  const now = { read: socket.bytesRead, written: socket.bytesWritten };
  counted.set(socket, now);
  received.inc({ http_route }, Math.max(0, now.read - before.read));
  sent.inc({ http_route }, Math.max(0, now.written - before.written));
}
