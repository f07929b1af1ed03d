/** The kinds of submissions. */
export type Kind = 'quiz' | 'homework';

/** The outcome of a request as its client sees it after the last attempt. */
export type Outcome =
  /** Answered 2xx: it must be stored, once. */
  | 'accepted'
  /** Answered 4xx: nothing of it may be stored. */
  | 'refused'
  /** Answered 5xx or not at all: it may be stored whole or not at all. */
  | 'unknown';

/** The upload of one student for one quiz or class. */
export interface Upload {
  kind: Kind;
  itemId: number;
  studentId: number;
  sha256: string;
  outcome: Outcome;
}

/** One grading. No other grading has its mark, so that it is recognized wherever it is stored. */
export interface Grading {
  kind: Kind;
  submissionId: number;
  mark: number;
  outcome: Outcome;
}

/** What clients did, and how they were answered. Compared with the stored data afterwards (count.ts). */
export class Ledger {
  readonly uploads: Upload[] = [];
  readonly gradings: Grading[] = [];
  /** The number of answers by status; `none` counts connections that ended without one. */
  readonly answers: Record<string, number> = {};

  countAnswer(status: number | 'none'): void {
    this.answers[status] = (this.answers[status] ?? 0) + 1;
  }

  get accepted(): number {
    return [...this.uploads, ...this.gradings].filter(({ outcome }) => outcome === 'accepted').length;
  }

  get requests(): number {
    return Object.values(this.answers).reduce((sum, count) => sum + count, 0);
  }
}
