import { useLayoutEffect } from 'react';
import { claim, release } from '../queue/gradingRequests.ts';
import type { Queue, Sheet } from '../queue/gradingTypes.ts';

/** The submission that is graded next, while it is being loaded. */
export interface Ahead {
  /** The submission that it follows. */
  after: number;
  sheet: Promise<Sheet | undefined>;
}

const claimRenewal = 60_000;

/**
 * Renews the claim of the prepared submission, and releases it on unmount and when the question changes. A layout effect:
 * the next key must not open what was claimed for the previous question.
 */
export function useClaimAhead(item: Queue, ahead: { current: Ahead | undefined }): void {
  useLayoutEffect(() => {
    const timer = setInterval(async () => {
      const present = ahead.current;
      const next = await present?.sheet.catch(() => undefined);
      if (next && ahead.current === present)
        // Another grader has claimed it: a different one is claimed when the open one is finished.
        claim({ ...item, id: next.detail.id }, false).catch(() => {
          if (ahead.current === present) ahead.current = undefined;
        });
    }, claimRenewal);
    return () => {
      clearInterval(timer);
      const last = ahead.current;
      ahead.current = undefined;
      void last?.sheet.then(
        (next) => next && release({ ...item, id: next.detail.id }).catch(() => {}),
        () => {},
      );
    };
  }, [item, ahead]);
}
