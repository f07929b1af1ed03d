/** An entry of the audit log, with the present name of its actor. */
export interface RecordedEntry {
  id: number;
  at: Date;
  actorId: number | null;
  actorRole: string | null;
  /** Null where the account is deleted. */
  actorName: string | null;
  sessionId: number | null;
  address: string | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  changes: Record<string, [before: unknown, after: unknown]> | null;
  requestId: string | null;
}

/** Where a page ends. `at` has whole milliseconds, as the column. */
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
