import type { GradingBody } from '../queue/gradingRequests.ts';
import type { Detail, Sheet } from '../queue/gradingTypes.ts';
import { bodyOf, type Draft, draftOf, fitToRubric, isSameDraft } from './draft.ts';
import type { DraftOwner } from './draftStore.ts';

/** A grading to be sent to the service. It belongs to its submission or answer, even after the screen shows another one. */
export interface SaveJob {
  owner: DraftOwner;
  studentName: string;
  /** The submission as the desk had loaded it. */
  before: Detail;
  /** The form before the grader changed it. */
  base: Draft;
  draft: Draft;
  body: GradingBody;
  /** The ETag of that state. */
  etag: string;
  key: string;
}

/** Sends a grading. Resolves to undefined if it was not saved. */
type SendGrading = (job: SaveJob) => Promise<Sheet | undefined>;

interface LastSave {
  draft: Draft;
  work: Promise<Sheet | undefined>;
  isDone: boolean;
  /** ETags of the submission's versions that this grader's own gradings have replaced. */
  replaced: Set<string>;
}

const keyOf = ({ id, questionId }: DraftOwner) => `${id} ${questionId ?? ''}`;

/** The desk is re-rendered with its new state long before the grader has saved this many others. */
const maxRemembered = 20;

/**
 * Orders a grader's saves. Saves of the same submission are sent one after another, each based on the state that the
 * previous one created, and the same grading is not sent twice. This is also true shortly after a response: until the
 * desk is re-rendered with it, a key press saves on top of the previous state, and the grader would conflict with
 * herself.
 */
export class SaveOrder {
  readonly #last = new Map<string, LastSave>();
  readonly #request: SendGrading;

  constructor(request: SendGrading) {
    this.#request = request;
  }

  save(job: SaveJob): Promise<Sheet | undefined> {
    const key = keyOf(job.owner);
    const known = this.#last.get(key);
    const last = known && (!known.isDone || known.replaced.has(job.etag)) ? known : undefined;
    if (last && isSameDraft(last.draft, job.draft)) return last.work;
    const next: LastSave = {
      draft: job.draft,
      work: Promise.resolve(undefined),
      isDone: false,
      replaced: new Set(),
    };
    next.work = this.#send(job, next, last);
    this.#remember(key, next);
    return next.work;
  }

  /** Call this when the submission no longer has the state of its last save, so that the same grading is sent again. */
  forget(owner: DraftOwner): void {
    this.#last.delete(keyOf(owner));
  }

  async #send(job: SaveJob, next: LastSave, last: LastSave | undefined): Promise<Sheet | undefined> {
    let saved: Sheet | undefined;
    try {
      const before = await last?.work;
      saved = await this.#request(before ? upon(before, job) : job);
      if (saved) next.replaced.add(job.etag).add(before?.etag ?? job.etag);
      return saved;
    } finally {
      next.isDone = true;
      const key = keyOf(job.owner);
      if (!saved && this.#last.get(key) === next) this.#last.delete(key);
    }
  }

  #remember(key: string, save: LastSave): void {
    this.#last.delete(key);
    this.#last.set(key, save);
    for (const [other, { isDone }] of this.#last) {
      if (this.#last.size <= maxRemembered) break;
      if (isDone) this.#last.delete(other);
    }
  }
}

/** Rebases the same grading onto a newer state of the submission. */
export function upon({ detail, etag }: Sheet, job: SaveJob): SaveJob {
  const draft = fitToRubric(job.draft, detail);
  const base = draftOf(detail, null);
  const body = bodyOf(draft, base, detail, job.owner.kind);
  return { ...job, base, draft, body, before: detail, etag, key: crypto.randomUUID() };
}
