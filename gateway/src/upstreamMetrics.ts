import type { IncomingMessage, ServerResponse } from 'node:http';
import { counter, histogram } from '@gradeway/shared/metrics/registry';
import type { Upstream } from './routeTable.ts';

const upstreams = ['auth', 'courses', 'homework', 'quiz'] as const satisfies Upstream[];
const reasons = ['unreachable', 'timeout', 'cut'] as const;

const response = histogram(
  'gradeway_upstream_response_seconds',
  'Time from forwarding a request to the response headers of its service, including the upload',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  ['upstream', 'http_response_status_code'],
);
const failures = counter(
  'gradeway_upstream_failures_total',
  'Requests without a complete response from their service: unreachable, timeout, or cut after the headers',
  ['upstream', 'reason'],
);
for (const upstream of upstreams) for (const reason of reasons) failures.inc({ upstream, reason }, 0);

const startedAt = new WeakMap<ServerResponse, number>();

export function startForwarding(res: ServerResponse): void {
  startedAt.set(res, performance.now());
}

/** Measures the start of a response. An incomplete response is a failure unless the client disconnected. */
export function countAnswer(
  answer: IncomingMessage,
  req: IncomingMessage,
  res: ServerResponse,
  upstream: Upstream,
): void {
  const seconds = (performance.now() - (startedAt.get(res) ?? performance.now())) / 1000;
  response.observe({ upstream, http_response_status_code: answer.statusCode ?? 0 }, seconds);
  answer.once('aborted', () => {
    if (!req.socket.destroyed) countFailure(upstream, 'cut');
  });
}

/** Counts a failure of a service. A client that disconnects is counted as an aborted request instead. */
export function countFailure(upstream: Upstream, reason: (typeof reasons)[number]): void {
  failures.inc({ upstream, reason });
}
