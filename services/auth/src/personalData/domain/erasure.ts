/** The erasure of a person, as shown to administrators. */
export interface Erasure {
  userId: number;
  status: 'pending' | 'done';
  requestedAt: Date;
  completedAt: Date | null;
}

/** An erasure that a process is working on. */
export interface PendingErasure {
  userId: number;
  keepsGrades: boolean;
  /** The account's last email address, used to find records that lack its id; empty if unknown. */
  email: string;
  /** The id in the school's own system; empty if there is none. */
  sourcedId: string;
  /** The services that have confirmed that nothing is left. */
  confirmed: string[];
}
