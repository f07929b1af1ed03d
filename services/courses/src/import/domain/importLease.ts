import { randomUUID } from 'node:crypto';
import type { Logger } from '@gradeway/shared/process/logger';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { ImportDependencies } from '../dependencies.ts';

const renewalMs = 1_000;

/**
 * The lease of the process that plans or commits an import. It is renewed every second. When the process dies, the
 * lease expires and another process cleans up.
 */
export class ImportLease implements Disposable {
  readonly holder = randomUUID();
  /** Stored by the next renewal. */
  readonly progress: { done?: number; total?: number } = {};
  #stopRenewing: (() => Promise<void>) | undefined;

  startRenewing(imports: ImportDependencies['imports'], id: string, log: Logger): void {
    this.#stopRenewing = runEvery({
      everyMs: renewalMs,
      task: () => imports.renewLease(id, this.holder, this.progress),
      log: log.child({ import_id: id }),
      failureMessage: 'could not renew the lease of an import',
    });
  }

  [Symbol.dispose](): void {
    void this.#stopRenewing?.();
  }
}
