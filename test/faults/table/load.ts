import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '@gradeway/test/fixtures';
import { type Answer, form, type HttpClient, pdf } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { type Kind, Ledger, type Outcome } from './ledger.ts';
import { type School, takeUnit, type Unit } from './school.ts';
import { areInGradebook } from './storedRows.ts';

export interface LoadOptions {
  /** Simultaneous clients. */
  workers?: number;
  /** How long a client pauses after each journey. */
  pauseMs?: number;
  /** Whether new items are created when most have been handed in, for loads that last minutes. */
  refills?: boolean;
  /** Further clients: the work that each repeats. */
  others?: ((shared: LoadParts) => Promise<void>)[];
}

/** The state that the clients of a load share. */
export interface LoadParts {
  school: School;
  ledger: Ledger;
  /** The next unit of a kind that no student has submitted. */
  takeUnit(kind: Kind): Unit | undefined;
}

export interface Load {
  ledger: Ledger;
  /** Waits until this many more journeys have ended, whatever their outcome. */
  journeys(count: number): Promise<void>;
  /** Waits until an upload of each kind and its grading succeed, and the grades are in the gradebook. */
  recovery(): Promise<void>;
  /** Ends the load, and waits for the journeys in progress. */
  stop(): Promise<void>;
}

interface Journey {
  unit: Unit;
  /** Whether the client repeats a request under one Idempotency-Key until it gets a response, or sends it once. */
  repeats: boolean;
}

// The client gives up after this time without a response.
const answerLimitMs = 60_000;
const repeatPauseMs = 250;
const recoveryLimitMs = 60_000;
// A client that repeats its requests does so for this long after the load has ended.
const repeatAfterEndMs = 30_000;
const gradingsPerSubmission = 2;
const marksTotal = 100_000;

/**
 * Starts clients that each repeatedly hand in a quiz or homework and have it graded twice. Every second client
 * repeats failed requests under one Idempotency-Key, like a careful client.
 */
export async function startLoad(
  school: School,
  { workers = 4, pauseMs = 250, refills = false, others = [] }: LoadOptions = {},
): Promise<Load> {
  const ledger = new Ledger();
  const admin = await school.fixtures.asAdmin();
  const units = await school.newUnits();
  let [ended, stoppedAt, lastMark] = [0, Number.POSITIVE_INFINITY, 0];

  /** Sends a request once, or until its outcome is known; returns the response to an accepted one. */
  async function send(
    client: HttpClient,
    path: string,
    body: () => unknown,
    { repeats }: Pick<Journey, 'repeats'>,
  ): Promise<{ outcome: Outcome; answer?: Answer }> {
    const headers: Record<string, string> = repeats ? { 'idempotency-key': randomUUID() } : {};
    for (;;) {
      const signal = AbortSignal.timeout(answerLimitMs);
      const answer = await client
        .request('POST', path, { body: body(), headers, signal })
        .catch(() => undefined);
      ledger.countAnswer(`POST ${path}`, answer);
      if (answer && answer.status < 300) return { outcome: 'accepted', answer };
      if (answer && answer.status < 500 && answer.status !== 429) return { outcome: 'refused' };
      if (!repeats || Date.now() > stoppedAt + repeatAfterEndMs) return { outcome: 'unknown' };
      await sleep(repeatPauseMs);
    }
  }

  /** Hands in a new file. Returns the id of the submission if it was accepted. */
  async function upload({ unit, repeats }: Journey): Promise<number | undefined> {
    const { kind, itemId, student } = unit;
    const file = await pdf(`${kind}-${itemId}-${student.id}.pdf`, { lines: [randomUUID()] });
    const sha256 = createHash('sha256')
      .update(await file.bytes())
      .digest('hex');
    const entry = { kind, itemId, studentId: student.id, sha256, outcome: 'unknown' as Outcome };
    ledger.uploads.push(entry);
    const startAt = now();
    const fields = {
      course_id: `${school.courseId}`,
      quiz_id: `${itemId}`,
      duration: '60',
      start_at: startAt,
    };
    const [path, body] =
      kind === 'quiz'
        ? ['/api/v3/quiz/submit-pdf', () => form({ ...fields, file })]
        : [`/api/v3/homeworks/${itemId}/submissions`, () => form({ files: [file] })];
    const { outcome, answer } = await send(student, path as string, body as () => unknown, { repeats });
    entry.outcome = outcome;
    if (outcome !== 'accepted') return undefined;
    return kind === 'homework' ? answer?.body.data.id : findOwnSubmission(unit);
  }

  // The response to an answer sheet does not name the submission. A GET is sent again when its connection breaks, as browsers
  // do: a server may close an idle connection at the moment when a request is sent on it (RFC 9110 §9.2.2, RFC 9112 §9.3.1).
  async function findOwnSubmission({ itemId, student }: Unit): Promise<number | undefined> {
    const signal = AbortSignal.timeout(answerLimitMs);
    const path = '/api/v3/quiz/submissions?per_page=100';
    const list = () => student.request('GET', path, { signal });
    const answer = await list()
      .catch(list)
      .catch(() => undefined);
    ledger.countAnswer(`GET ${path}`, answer);
    return answer?.body?.data?.find((each: { quiz_id: number }) => each.quiz_id === itemId)?.id;
  }

  async function grade({ unit: { kind }, repeats }: Journey, submissionId: number): Promise<Outcome> {
    lastMark += 1;
    const mark = lastMark;
    const entry = { kind, submissionId, mark, outcome: 'unknown' as Outcome };
    ledger.gradings.push(entry);
    const [path, body] =
      kind === 'quiz'
        ? [`/api/v3/quiz/pdf-quizzes/grade/${submissionId}`, { grade: mark, total_grade: marksTotal }]
        : [`/api/v3/admin/homeworks/grade/${submissionId}`, { rating: 1 + (mark % 10), comment: `${mark}` }];
    const { outcome } = await send(admin, path as string, () => body, { repeats });
    entry.outcome = outcome;
    return outcome;
  }

  async function travel(journey: Journey): Promise<boolean> {
    const submissionId = await upload(journey);
    if (submissionId === undefined) return false;
    for (let each = 0; each < gradingsPerSubmission; each += 1)
      if ((await grade(journey, submissionId)) !== 'accepted') return false;
    return true;
  }

  let refilling: Promise<void> | undefined;
  const refill = () => {
    refilling ??= school
      .newUnits()
      .then((more) => void units.push(...more))
      .catch(() => {})
      .finally(() => {
        refilling = undefined;
      });
    return refilling;
  };

  // Each attempt consumes a unit, because the outcome of a failed upload is unknown. A service that takes a long time
  // to start can use up all of them.
  async function probe(kind: Kind): Promise<boolean> {
    const unit = takeUnit(units, kind);
    if (unit) return travel({ unit, repeats: false });
    await refill();
    return false;
  }

  const isLoaded = () => stoppedAt === Number.POSITIVE_INFINITY;
  const work = async (worker: number) => {
    while (isLoaded()) {
      if (refills && units.length < 100) void refill();
      // The last ones are for the probes of `recovery`.
      const unit = units.length > 40 ? units.shift() : undefined;
      if (unit) await travel({ unit, repeats: worker % 2 === 1 });
      ended += 1;
      await sleep(pauseMs);
    }
  };
  const workAsOther = async (turn: (shared: LoadParts) => Promise<void>) => {
    while (isLoaded()) await turn({ school, ledger, takeUnit: (kind) => takeUnit(units, kind) });
  };
  const working = Promise.all([
    ...Array.from({ length: workers }, (_, worker) => work(worker)),
    ...others.map(workAsOther),
  ]);

  return {
    ledger,
    async journeys(count) {
      const target = ended + count;
      await waitFor(() => ended >= target);
    },
    async recovery() {
      const firstMark = lastMark;
      for (const kind of ['quiz', 'homework'] as const)
        await waitFor(() => probe(kind), recoveryLimitMs, repeatPauseMs);
      const recent = ledger.gradings.filter(
        ({ mark, outcome }) => mark > firstMark && outcome === 'accepted',
      );
      await waitFor(() => areInGradebook(school.system, recent));
    },
    async stop() {
      stoppedAt = Date.now();
      await working;
      await refilling;
    },
  };
}
