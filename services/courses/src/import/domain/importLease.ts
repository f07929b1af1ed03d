import { randomUUID } from 'node:crypto';
import type { Logger } from '@gradeway/shared/process/logger';
import type { ImportRepository } from '../data/importRepository.ts';

const renewalMs = 1_000;

/**
 * The lease of the process that plans or commits an import. It is renewed every second; when the process dies, the
 * lease expires and another process cleans up.
 */
export class ImportLease implements Disposable {
  readonly holder = randomUUID();
  /** Stored with the next renewal. */
  readonly progress: { done?: number; total?: number } = {};
  #timer: NodeJS.Timeout | undefined;

  startRenewing(imports: ImportRepository, id: string, log: Logger): void {
    this.#timer = setInterval(() => {
      imports
        .renewLease(id, this.holder, this.progress)
        .catch((error) => log.warn({ err: error, import_id: id }, 'could not renew the lease of an import'));
    }, renewalMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
