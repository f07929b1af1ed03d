import { counter } from '../metrics/registry.ts';

/** Outcomes of a list read when a replica is configured. */
const outcomes = ['replica', 'behind', 'busy', 'conflict', 'failed', 'left', 'unknown'] as const;

export type ReplicaOutcome = (typeof outcomes)[number];

const reads = counter(
  'gradeway_replica_reads_total',
  'Lists with DATABASE_READ_URL: read from the replica; or from the primary because the replica was behind, had no free connection (busy), cancelled the query (conflict), failed, or had failed shortly before (left), or because the position of the primary was unknown',
  ['outcome'],
);

/** Exports every outcome before the first list is read, even without a replica. */
export function declareReplicaReads(): void {
  for (const outcome of outcomes) reads.inc({ outcome }, 0);
}

export const countReplicaRead = (outcome: ReplicaOutcome): void => reads.inc({ outcome });
