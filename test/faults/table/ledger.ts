/** The kinds of submissions. */
export type Kind = 'quiz' | 'homework';

/** The outcome of a request as its client sees it after the last attempt. */
export type Outcome =
  /** The response was 2xx: it must be stored, once. */
  | 'accepted'
  /** The response was 4xx: nothing from the request may be stored. */
  | 'refused'
  /** The response was 5xx or missing: it may be stored completely or not at all. */
  | 'unknown';

/** The upload of one student for one quiz or class. */
export interface Upload {
  kind: Kind;
  itemId: number;
  studentId: number;
  sha256: string;
  outcome: Outcome;
}

/** One grading. No other grading has its mark, which identifies it wherever it is stored. */
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

/** The requests of clients and their responses, which count.ts compares with the stored data. */
export class Ledger {
  readonly uploads: Upload[] = [];
  readonly gradings: Grading[] = [];
  /** The number of responses by status; `none` counts connections that ended without a response. */
  readonly answers: Record<string, number> = {};
  /** The first responses of each status from 400, and `none`: time, request, body and request id. */
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
