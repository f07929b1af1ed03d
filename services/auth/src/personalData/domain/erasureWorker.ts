import type { Logger } from '@gradeway/shared/process/logger';
import { type Polling, startPolling } from '@gradeway/shared/process/polling';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { PersonalDataDependencies } from '../dependencies.ts';
import type { PendingErasure } from './erasure.ts';

/** Erases a person in one service. When it returns, nothing is left there. Must be idempotent. */
type Erase = (erasure: PendingErasure, signal: AbortSignal) => Promise<void>;

export type Service = [name: string, erase: Erase];

interface Dependencies extends Pick<PersonalDataDependencies, 'erasures'> {
  /** Each of them must confirm. */
  services: Service[];
  log: Logger;
}

const renewEveryMs = 5_000;
// A request wakes the worker. Only an erasure whose process died waits this long.
const intervalMs = 5_000;

/**
 * Works on the requested erasures until every service has confirmed. An unreachable service delays only its own part,
 * and is called again every five seconds. If the process dies, its lease expires and another process, or the restarted
 * one, continues.
 */
export function startErasureWorker({ erasures, services, log }: Dependencies): Polling {
  const stopping = new AbortController();
  const polling = startPolling({
    async round() {
      const erasure = await erasures.claim();
      if (!erasure) return false;
      await underLease(erasure, stopping.signal);
      return true;
    },
    onFailure: (error) => log.warn({ err: error }, 'could not process erasures; retrying'),
    intervalMs,
  });
  return {
    wake: polling.wake,
    async stop() {
      stopping.abort();
      await polling.stop();
    },
  };

  async function underLease(erasure: PendingErasure, stopSignal: AbortSignal): Promise<void> {
    const { userId } = erasure;
    const lost = new AbortController();
    const stopRenewing = runEvery({
      everyMs: renewEveryMs,
      async task() {
        if (!(await erasures.renew(userId))) lost.abort();
      },
      log,
      failureMessage: 'could not renew the lease of an erasure',
    });
    try {
      await eraseEverywhere(erasure, AbortSignal.any([stopSignal, lost.signal]));
    } finally {
      await stopRenewing();
    }
  }

  // Calls all services at the same time, so that a hung one does not delay the others.
  async function eraseEverywhere(erasure: PendingErasure, signal: AbortSignal): Promise<void> {
    const { userId, keepsGrades, confirmed } = erasure;
    const waiting = services.filter(([service]) => !confirmed.includes(service));
    const outcomes = await Promise.all(
      waiting.map(async ([service, erase]) => {
        try {
          signal.throwIfAborted();
          await erase(erasure, signal);
          await erasures.confirm(userId, service);
          return true;
        } catch (error) {
          if (!signal.aborted)
            log.warn({ err: error, user_id: userId, service }, 'an erasure is incomplete; retrying');
          return false;
        }
      }),
    );
    if (outcomes.includes(false)) return erasures.postpone(userId);
    await erasures.finish(userId);
    log.info({ user_id: userId, keeps_grades: keepsGrades }, 'a person was erased');
  }
}
