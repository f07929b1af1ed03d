import type { Request, Response } from 'express';
import { unavailable } from '../errors/appError.ts';
import { smallBodyBytes } from '../http/receiveRest.ts';
import { remainingTime, shareConnections } from '../process/requestContext.ts';
import type { UnfinishedUpload, UploadLimits } from './uploadLimits.ts';
import type { UploadQueue, UploadTurn } from './uploadQueue.ts';

/** The properties of a form request that its route provides. */
export interface FormRequest {
  userId: number;
  /**
   * Called before the first file of a body that is large or of unknown size, with the fields that precede the file. An
   * error rejects the form immediately, without reading the rest of the body. Small bodies are read completely, so that
   * their errors are reported in the order of D25.
   */
  beforeFiles?(fields: Record<string, unknown>): Promise<void>;
}

export interface AdmissionRules extends Partial<FormRequest> {
  maxFiles: number;
  /** Max size of each file. */
  maxBytes: number;
  /** Limits of unfinished uploads, for the user of the request. */
  limits?: UploadLimits;
  /** The queue in which users' uploads wait for a slot. */
  queue?: UploadQueue;
}

// An upload stops waiting this long before its deadline, leaving time for the response.
const responseMs = 1_000;
// Max delay of Node.js timers.
const maxTimerMs = 2 ** 31 - 1;

/**
 * Decides whether and when the files of one form are received. A large body is admitted before it is read. A small one,
 * which may be a form without files, is admitted when its first file begins. Both wait for a slot before the body is
 * read.
 */
export class UploadAdmission {
  readonly #req: Request;
  readonly #res: Response;
  readonly #rules: AdmissionRules;
  readonly #resources: AsyncDisposableStack;
  readonly #announced: number | undefined;
  #upload: UnfinishedUpload | undefined;
  #turn: UploadTurn | undefined;

  /** @param resources disposed when the upload ends */
  constructor(req: Request, res: Response, rules: AdmissionRules, resources: AsyncDisposableStack) {
    const length = req.headers['content-length'];
    this.#req = req;
    this.#res = res;
    this.#rules = rules;
    this.#resources = resources;
    this.#announced = length === undefined ? undefined : Number(length);
  }

  /** @throws AppError from the limits, or `unavailable` if no slot becomes free before the deadline of the request */
  async beforeBody(): Promise<void> {
    if (!this.#isSmall) await this.#enter();
    await this.#waitForTurn();
  }

  /** Called once the whole body has arrived. @throws AppError `unavailable`, like `beforeBody` */
  async afterBody(): Promise<void> {
    await this.#turn?.received();
  }

  /** @throws AppError from the limits or from `beforeFiles` */
  async beforeFiles(fields: Record<string, unknown>): Promise<void> {
    if (this.#isSmall) await this.#enter();
    else await this.#rules.beforeFiles?.(fields);
  }

  /** Counts bytes of files as they arrive. @throws AppError `too_large` */
  count(bytes: number): void {
    this.#turn?.count(bytes);
    this.#upload?.count(bytes);
  }

  get #isSmall(): boolean {
    return (this.#announced ?? Number.POSITIVE_INFINITY) <= smallBodyBytes;
  }

  async #enter(): Promise<void> {
    const { limits, userId, maxFiles, maxBytes } = this.#rules;
    if (!limits || userId === undefined) return;
    const upload = await limits.enter({ userId, bytes: this.#announced, largest: maxFiles * maxBytes });
    this.#upload = this.#keep(upload);
  }

  async #waitForTurn(): Promise<void> {
    const { queue, userId } = this.#rules;
    if (!queue || userId === undefined) return;
    shareConnections();
    const req = this.#req;
    const turn = await queue.enter({
      userId,
      isPaused: () => req.readableFlowing === false,
      signal: this.#endOfWait(),
    });
    this.#turn = this.#keep(turn);
  }

  #endOfWait(): AbortSignal {
    const wait = new AbortController();
    const expire = () =>
      wait.abort(unavailable(new Error('no slot became free before the deadline of the upload')));
    const timer = setTimeout(expire, Math.max(0, remainingTime(maxTimerMs) - responseMs)).unref();
    this.#resources.defer(() => clearTimeout(timer));
    this.#res.once('close', () => wait.abort(disconnected()));
    return wait.signal;
  }

  #keep<T extends Disposable>(resource: T): T {
    if (this.#resources.disposed || (this.#req.destroyed && !this.#req.complete)) {
      // Multer would wait for events that have already been emitted.
      resource[Symbol.dispose]();
      throw disconnected();
    }
    return this.#resources.use(resource);
  }
}

const disconnected = () => new Error('the client disconnected');
