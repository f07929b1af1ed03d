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

/** The parts of a response that the ledger records; undefined when the connection ended without one. */
export type Received =
  | { status: number; headers?: Headers | Record<string, unknown>; body?: unknown }
  | undefined;

// Enough to see what failed; a fault of a minute can cause hundreds.
const maxDescribed = 20;

/** What clients did, and how they were answered. Compared with the stored data afterwards (count.ts). */
export class Ledger {
  readonly uploads: Upload[] = [];
  readonly gradings: Grading[] = [];
  /** The number of answers by status; `none` counts connections that ended without one. */
  readonly answers: Record<string, number> = {};
  /** The first answers of each status from 400, and `none`: when, to what, with which body and request id. */
  readonly failures: Record<string, string[]> = {};

  /** `request`: the method and the path. */
  countAnswer(request: string, answer: Received): void {
    const status = answer?.status ?? 'none';
    this.answers[status] = (this.answers[status] ?? 0) + 1;
    if (answer && answer.status < 400) return;
    this.failures[status] ??= [];
    const described = this.failures[status];
    if (described.length < maxDescribed) described.push(describe(request, answer));
  }

  get accepted(): number {
    return [...this.uploads, ...this.gradings].filter(({ outcome }) => outcome === 'accepted').length;
  }

  get requests(): number {
    return Object.values(this.answers).reduce((sum, count) => sum + count, 0);
  }
}

function describe(request: string, answer: Received): string {
  const { headers = {} } = answer ?? {};
  const requestId = headers instanceof Headers ? headers.get('x-request-id') : headers['x-request-id'];
  const body = JSON.stringify(answer?.body ?? null).slice(0, 300);
  return `${new Date().toISOString()} ${request}: ${answer?.status ?? 'none'} ${body}, request id ${requestId}`;
}
