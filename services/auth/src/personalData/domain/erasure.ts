/** The erasure of a person, as administrators see it. */
export interface Erasure {
  userId: number;
  status: 'pending' | 'done';
  requestedAt: Date;
  completedAt: Date | null;
}

/** An erasure that a process works on. */
export interface PendingErasure {
  userId: number;
  keepsGrades: boolean;
  /** The last email address of the account, by which records without its id are found; empty if unknown. */
  email: string;
  /** The id in the school's own system; empty if there is none. */
  sourcedId: string;
  /** The services that have confirmed that nothing is left. */
  confirmed: string[];
}
