import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { counter, gauge, requestHistogram } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';
import { afterResponse } from './afterResponse.ts';
import { knownMethod, routeOf } from './route.ts';

// Ranges from a cached list to an upload over a slow connection.
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const duration = requestHistogram(
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
  'Bytes received from clients, including headers',
  ['http_route'],
);
const sent = counter('gradeway_http_sent_bytes_total', 'Bytes sent to clients, including headers', [
  'http_route',
]);

/** Bytes transferred by the requests of one route since the last scrape. */
interface Bytes {
  received: number;
  sent: number;
}

// Updating a prom-client metric takes microseconds, so requests only add up numbers.
const bytesOfRoutes = new Map<string, Bytes>();
let activeRequests = 0;

collectAtScrape({
  collect() {
    active.set(activeRequests);
    for (const [http_route, bytes] of bytesOfRoutes) {
      received.inc({ http_route }, bytes.received);
      sent.inc({ http_route }, bytes.sent);
    }
    bytesOfRoutes.clear();
  },
  clear() {},
});

/** {@link startMeasuring} as a middleware. */
export const measureRequest: RequestHandler = (req, res, next) => {
  startMeasuring(req, res);
  next();
};

/** Measures a request under its route template, or `unmatched` if no route matched. */
export function startMeasuring(req: Request, res: Response): void {
  const startedAt = performance.now();
  const { socket } = req;
  activeRequests += 1;
  afterResponse(res, () => {
    activeRequests -= 1;
    const method = knownMethod(req.method);
    const route = routeOf(req, res) ?? 'unmatched';
    if (res.writableFinished) {
      const seconds = (performance.now() - startedAt) / 1000;
      duration.observe([method, route, res.statusCode], seconds);
    } else aborted.inc({ http_request_method: method, http_route: route });
    countBytes(socket, route);
  });
}

interface Counted {
  read: number;
  written: number;
}

// Node.js counts bytes per connection, which carries many requests. Each request gets the increase since the last one.
const counted = new WeakMap<Socket, Counted>();

function countBytes(socket: Socket, route: string): void {
  const bytes = bytesOfRoutes.get(route) ?? { received: 0, sent: 0 };
  bytesOfRoutes.set(route, bytes);
  const before = counted.get(socket);
  const { bytesRead: read, bytesWritten: written } = socket;
  bytes.received += Math.max(0, read - (before?.read ?? 0));
  bytes.sent += Math.max(0, written - (before?.written ?? 0));
  if (before) Object.assign(before, { read, written });
  else counted.set(socket, { read, written });
}
