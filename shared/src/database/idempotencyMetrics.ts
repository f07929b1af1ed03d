import { counter } from '../metrics/registry.ts';

const outcomes = ['done', 'repeated', 'mismatched'] as const;

const requests = counter(
  'gradeway_idempotent_requests_total',
  'Requests with an Idempotency-Key: done; repeated (got the earlier result); mismatched (key of a different request)',
  ['outcome'],
);
for (const outcome of outcomes) requests.inc({ outcome }, 0);

export const countIdempotent = (outcome: (typeof outcomes)[number]): void => requests.inc({ outcome });
