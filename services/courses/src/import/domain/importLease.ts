import { randomUUID } from 'node:crypto';
import type { Logger } from '@gradeway/shared/process/logger';
import type { ImportRepository } from '../data/importRepository.ts';

const signOfLifeMs = 1_000;

/** That this process works on an import. While it is held, others are told so; whoever dies holds it no longer. */
export class Claim implements Disposable {
  readonly holder = randomUUID();
  /** How far the work is: written with the next sign of life. */
  readonly progress: { done?: number; total?: number } = {};
  #timer: NodeJS.Timeout | undefined;

  /** Begins to give signs of life. */
  hold(imports: ImportRepository, id: string, log: Logger): void {
    this.#timer = setInterval(() => {
      imports
        .keepClaim(id, this.holder, this.progress)
        .catch((error) => log.warn({ err: error }, 'could not keep the claim of an import'));
    }, signOfLifeMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
