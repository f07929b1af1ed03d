/** An audit log entry with its actor's current name. */
export interface RecordedEntry {
  id: number;
  at: Date;
  actorId: number | null;
  actorRole: string | null;
  /** Null if the account is deleted. */
  actorName: string | null;
  sessionId: number | null;
  address: string | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  changes: Record<string, [before: unknown, after: unknown]> | null;
  requestId: string | null;
}

/** The position at which a page ends. `at` has whole milliseconds, like the column. */
export type AuditPosition = Pick<RecordedEntry, 'id' | 'at'>;

export interface AuditFilter {
  actorId?: number | undefined;
  action?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}
