import type { IncomingMessage, ServerResponse } from 'node:http';
import { counter, histogram } from '@gradeway/shared/metrics/registry';
import type { Upstream } from './routeTable.ts';

const upstreams = ['auth', 'courses', 'homework', 'quiz'] as const satisfies Upstream[];
const reasons = ['unreachable', 'timeout', 'cut'] as const;

const response = histogram(
  'gradeway_upstream_response_seconds',
  'From handing a request to its service to the headers of the service’s answer, the upload included',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  ['upstream', 'http_response_status_code'],
);
const failures = counter(
  'gradeway_upstream_failures_total',
  'Requests that a service did not answer: unreachable, timeout, or cut when the answer had begun',
  ['upstream', 'reason'],
);
for (const upstream of upstreams) for (const reason of reasons) failures.inc({ upstream, reason }, 0);

const startedAt = new WeakMap<ServerResponse, number>();

export function startForwarding(res: ServerResponse): void {
  startedAt.set(res, performance.now());
}

/** Measures an answer that begins. One that does not come whole is a failure, unless it is the client who left. */
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

/** A client that went away is nobody's failure: it is counted as an aborted request. */
export function countFailure(upstream: Upstream, reason: (typeof reasons)[number]): void {
  failures.inc({ upstream, reason });
}
