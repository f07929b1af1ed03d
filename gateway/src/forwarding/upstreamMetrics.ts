import { counter, requestHistogram } from '@gradeway/shared/metrics/registry';
import type { Upstream } from '../routing/routeTable.ts';

const upstreams = ['auth', 'courses', 'homework', 'quiz'] as const satisfies Upstream[];
const reasons = ['unreachable', 'timeout', 'cut'] as const;

const response = requestHistogram(
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

/** Records the time until a response started. */
export function countResponse(upstream: Upstream, status: number, milliseconds: number): void {
  response.observe([upstream, status], milliseconds / 1000);
}

/** Counts a failed request to a service. Disconnected clients count as aborted requests instead. */
export function countFailure(upstream: Upstream, reason: (typeof reasons)[number]): void {
  failures.inc({ upstream, reason });
}
