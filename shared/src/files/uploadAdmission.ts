import type { Request } from 'express';
import { smallBodyBytes } from '../http/refusedBody.ts';
import type { UnfinishedUpload, UploadLimits } from './uploadLimits.ts';

/** What the route of a form knows about its request. */
export interface FormRequest {
  userId: number;
  /**
   * Called before the first file of a body that is large, or of unknown size, with the fields that precede it. An error
   * refuses the form at once, without the rest of the body. Small bodies are read whole, so that D25 orders their errors.
   */
  beforeFiles?(fields: Record<string, unknown>): Promise<void>;
}

export interface AdmissionRules extends Partial<FormRequest> {
  maxFiles: number;
  /** Maximum size of each file. */
  maxBytes: number;
  /** Limits of unfinished uploads, for the user of the request. */
  limits?: UploadLimits;
}

/**
 * Decides whether the files of one form are received. A large body is admitted before it is read; a small one, which may
 * be a form without files, when its first file begins.
 */
export class UploadAdmission {
  readonly #req: Request;
  readonly #rules: AdmissionRules;
  readonly #resources: AsyncDisposableStack;
  readonly #announced: number | undefined;
  #upload: UnfinishedUpload | undefined;

  /** @param resources what ends with the upload */
  constructor(req: Request, rules: AdmissionRules, resources: AsyncDisposableStack) {
    const length = req.headers['content-length'];
    this.#req = req;
    this.#rules = rules;
    this.#resources = resources;
    this.#announced = length === undefined ? undefined : Number(length);
  }

  /** @throws AppError by the limits */
  async beforeBody(): Promise<void> {
    if (!this.#isSmall) await this.#enter();
  }

  /** @throws AppError by the limits, or of `beforeFiles` */
  async beforeFiles(fields: Record<string, unknown>): Promise<void> {
    if (this.#isSmall) await this.#enter();
    else await this.#rules.beforeFiles?.(fields);
  }

  /** Counts bytes of files as they arrive. @throws AppError `too_large` */
  count(bytes: number): void {
    this.#upload?.count(bytes);
  }

  get #isSmall(): boolean {
    return (this.#announced ?? Number.POSITIVE_INFINITY) <= smallBodyBytes;
  }

  async #enter(): Promise<void> {
    const { limits, userId, maxFiles, maxBytes } = this.#rules;
    if (!limits || userId === undefined) return;
    const upload = await limits.enter({ userId, bytes: this.#announced, largest: maxFiles * maxBytes });
    if (this.#resources.disposed || (this.#req.destroyed && !this.#req.complete)) {
      // Multer would wait for events that have been emitted already.
      upload[Symbol.dispose]();
      throw new Error('the client disconnected');
    }
    this.#upload = this.#resources.use(upload);
  }
}
