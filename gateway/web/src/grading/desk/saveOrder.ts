import type { GradingBody } from '../queue/gradingRequests.ts';
import type { Detail, Sheet } from '../queue/gradingTypes.ts';
import { bodyOf, type Draft, draftOf, fitToRubric, isSameDraft } from './draft.ts';
import type { DraftOwner } from './draftStore.ts';

/** A grading on its way to the service. It belongs to its submission, whatever is on the screen by then. */
export interface SaveJob {
  owner: DraftOwner;
  studentName: string;
  /** The submission as the desk knew it. */
  before: Detail;
  draft: Draft;
  body: GradingBody;
  /** Of that state. */
  etag: string;
  key: string;
}

/** Sends a grading; undefined when it was not saved. */
type SendGrading = (job: SaveJob) => Promise<Sheet | undefined>;

interface LastSave {
  draft: Draft;
  work: Promise<Sheet | undefined>;
  isDone: boolean;
  /** The states of the submission that the grader's own gradings have replaced. */
  replaced: Set<string>;
}

/** A desk is rendered with its new state long before the grader has saved so many others. */
const mostRemembered = 20;

/**
 * The order of a grader's saves. Two of one submission are sent one after the other, the second upon the state that the first
 * has made, and the same one is not sent twice. That also holds for a moment after an answer: until the desk is rendered with
 * it, a key saves upon the state from before, and the grader would be in conflict with herself.
 */
export class SaveOrder {
  readonly #last = new Map<number, LastSave>();
  readonly #request: SendGrading;

  constructor(request: SendGrading) {
    this.#request = request;
  }

  save(job: SaveJob): Promise<Sheet | undefined> {
    const { id } = job.owner;
    const known = this.#last.get(id);
    const last = known && (!known.isDone || known.replaced.has(job.etag)) ? known : undefined;
    if (last && isSameDraft(last.draft, job.draft)) return last.work;
    const next: LastSave = {
      draft: job.draft,
      work: Promise.resolve(undefined),
      isDone: false,
      replaced: new Set(),
    };
    next.work = this.#send(job, next, last);
    this.#remember(id, next);
    return next.work;
  }

  /** The submission is no longer as its last save left it: the same grading would be sent again. */
  forget(id: number): void {
    this.#last.delete(id);
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
      const { id } = job.owner;
      if (!saved && this.#last.get(id) === next) this.#last.delete(id);
    }
  }

  #remember(id: number, save: LastSave): void {
    this.#last.delete(id);
    this.#last.set(id, save);
    for (const [other, { isDone }] of this.#last) {
      if (this.#last.size <= mostRemembered) break;
      if (isDone) this.#last.delete(other);
    }
  }
}

/** The same grading for a newer state of the submission. */
export function upon({ detail, etag }: Sheet, job: SaveJob): SaveJob {
  const draft = fitToRubric(job.draft, detail);
  const body = bodyOf(draft, draftOf(detail, null), detail, job.owner.kind);
  return { ...job, draft, body, before: detail, etag, key: crypto.randomUUID() };
}
