/*
 * How far a primary has written its log, and how far a replica has replayed it (docs/decisions/0043-read-replica.md).
 * Once a replica has replayed a commit, every statement that begins later sees it.
 */

/** How far a primary has written its log. */
export interface WalPosition {
  /** Identifies the cluster and the database: equal only in a primary and its replicas. */
  identity: string;
  /** Increases when a replica becomes the primary. Positions of two timelines cannot be compared. */
  timeline: number;
  /** In bytes, as text because it exceeds JavaScript's safe integers. */
  bytes: string;
}

/** How far a server has replayed the log of a primary. */
export interface ReplayPosition extends WalPosition {
  /** False for a primary, including a promoted replica. */
  isInRecovery: boolean;
}

const identity = "system_identifier || '/' || current_database() AS identity";
const bytesOf = (position: string) => `((${position}) - '0/0'::pg_lsn)::text AS bytes`;

/**
 * SQL for the position that covers every commit acknowledged so far. Only flushed log is sent to replicas, and an
 * acknowledged commit is flushed unless `synchronous_commit` is off. The timeline comes from the name of the current
 * segment, because the control file only has the timeline of the last checkpoint.
 *
 * Log written without a commit is flushed only up to the end of a page, possibly within a record, and a replica would
 * stay behind until the next commit. Ending a transaction that has an id makes the server flush the rest soon.
 */
export const selectWalPosition = `
  SELECT ${identity}, ('x' || left(pg_walfile_name(inserted), 8))::bit(32)::integer AS timeline,
    ${bytesOf("CASE current_setting('synchronous_commit') WHEN 'off' THEN inserted ELSE flushed END")},
    CASE WHEN flushed < inserted AND mod(flushed - '0/0', current_setting('wal_block_size')::numeric) = 0
      THEN pg_current_xact_id() END AS flush
  FROM pg_control_system(),
    (SELECT pg_current_wal_flush_lsn() AS flushed, pg_current_wal_insert_lsn() AS inserted OFFSET 0) AS log`;

/**
 * SQL for a replica's position. Its timeline can be out of date: after a change of the primary, the replica is not used
 * until the next write of its control file, at most one checkpoint later.
 */
export const selectReplayPosition = `
  SELECT ${identity}, min_recovery_end_timeline AS timeline, pg_is_in_recovery() AS "isInRecovery",
    ${bytesOf("coalesce(pg_last_wal_replay_lsn(), '0/0')")}
  FROM pg_control_system(), pg_control_recovery()`;

/**
 * Compares a replica's position with the primary's: `foreign` if the server replays a different log, or no log at all.
 */
export function compareReplay(
  replica: ReplayPosition,
  primary: WalPosition,
): 'reached' | 'behind' | 'foreign' {
  const isReplica =
    replica.isInRecovery && replica.identity === primary.identity && replica.timeline === primary.timeline;
  if (!isReplica) return 'foreign';
  return BigInt(replica.bytes) >= BigInt(primary.bytes) ? 'reached' : 'behind';
}
