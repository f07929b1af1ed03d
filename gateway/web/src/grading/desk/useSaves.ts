import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { ApiError, isPassing } from '../../shared/api/apiError.ts';
import { useLeaveWarning } from '../../shared/layout/useLeaveWarning.ts';
import { LoggedOut } from '../../shared/session/session.ts';
import { progressQuery } from '../queue/gradingQueries.ts';
import type { ItemId, Sheet } from '../queue/gradingTypes.ts';
import { afterPaint } from './afterPaint.ts';
import { isSameDraft } from './draft.ts';
import { type DraftOwner, dropDraft, readDraft } from './draftStore.ts';
import { type SaveJob, SaveOrder, upon } from './saveOrder.ts';
import { acceptState, sendGrading, stateIn } from './targetRequests.ts';
import { useUndo } from './useUndo.ts';

interface Conflict {
  job: SaveJob;
  theirs: Sheet;
}

export interface Saves {
  pending: number;
  /** The status of the last grading, an English text. */
  statusText: string;
  failure: { job: SaveJob; error: unknown } | undefined;
  conflicts: Conflict[];
  /** Counts how often another state has replaced this grader's input: another grader's grading, or an undo. */
  replaced: number;
  save(job: SaveJob): Promise<Sheet | undefined>;
  /** Whether the last grading can still be undone. */
  canUndo: boolean;
  /** Undoes the last grading and returns what it belonged to; undefined when nothing was undone. */
  undo(): Promise<DraftOwner | undefined>;
  keepMine(conflict: Conflict): void;
  acceptTheirs(conflict: Conflict): void;
  forgetFailure(): void;
}

const attempts = 6;

/** Waits before the next attempt. Without a network no attempt can succeed, so it waits until the network is back. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, milliseconds);
    else window.addEventListener('online', () => resolve(), { once: true });
  });
}

/** Saves gradings in the background while the grader continues with the next submission. */
export function useSaves(item: ItemId): Saves {
  const queryClient = useQueryClient();
  const [pending, setPending] = useState(0);
  const [statusText, setStatusText] = useState('');
  const [failure, setFailure] = useState<Saves['failure']>();
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const [replaced, setReplaced] = useState(0);

  const { undoable, offer, undo: undoLast } = useUndo(item);

  useLeaveWarning(pending > 0);

  const send = useCallback(
    async (job: SaveJob): Promise<Sheet | undefined> => {
      setStatusText('Saving…');
      // Starting a request takes milliseconds, which would delay the frame of the next sheet.
      await afterPaint();
      for (let attempt = 1; ; attempt += 1)
        try {
          const saved = await sendGrading(queryClient, { ...job, baseMarks: job.base.annotations });
          const kept = readDraft(job.owner);
          if (kept && isSameDraft(kept.draft, job.draft)) dropDraft(job.owner);
          if (job.before.status === 'ungraded')
            queryClient.setQueryData(
              progressQuery({ ...item, questionId: job.owner.questionId }).queryKey,
              (known) => (known ? { ...known, graded: Math.min(known.total, known.graded + 1) } : known),
            );
          forgetLists(queryClient, item);
          setStatusText('Saved');
          offer({ job, saved });
          return saved;
        } catch (error) {
          if (error instanceof ApiError && error.status === 412 && error.data) {
            const theirs = await stateIn(queryClient, job, error);
            setConflicts((before) => [...before, { job, theirs }]);
            setStatusText('');
            return undefined;
          }
          if (error instanceof LoggedOut || !isPassing(error) || attempt === attempts) {
            setFailure({ job, error });
            setStatusText('');
            return undefined;
          }
          setStatusText('Not saved yet. Trying again…');
          await pause(500 * 2 ** attempt);
        }
    },
    [queryClient, item, offer],
  );

  const order = useMemo(() => new SaveOrder(send), [send]);
  const save = useCallback(
    async (job: SaveJob) => {
      // Only the most recently saved grading can be undone.
      offer(undefined);
      setPending((before) => before + 1);
      try {
        return await order.save(job);
      } finally {
        setPending((count) => count - 1);
      }
    },
    [order, offer],
  );
  const undo = useCallback(async () => {
    const undone = await undoLast();
    if (!undone) return undefined;
    if ('because' in undone) {
      setStatusText(undone.because);
      return undefined;
    }
    order.forget(undone.owner);
    forgetLists(queryClient, item);
    // The desk starts again from the stored state.
    setReplaced((before) => before + 1);
    setStatusText('Undone');
    return undone.owner;
  }, [undoLast, order, queryClient, item]);

  return useMemo(() => {
    const settle = (conflict: Conflict) =>
      setConflicts((before) => before.filter((each) => each !== conflict));
    return {
      pending,
      statusText,
      failure,
      conflicts,
      replaced,
      save,
      canUndo: undoable !== undefined,
      undo,
      forgetFailure: () => setFailure(undefined),
      keepMine: (conflict) => {
        settle(conflict);
        void save(upon(conflict.theirs, conflict.job));
      },
      acceptTheirs: (conflict) => {
        const { owner } = conflict.job;
        dropDraft(owner);
        acceptState(queryClient, owner, conflict.theirs);
        setReplaced((before) => before + 1);
        settle(conflict);
      },
    };
  }, [pending, statusText, failure, conflicts, replaced, save, undoable, undo, queryClient]);
}

function forgetLists(queryClient: ReturnType<typeof useQueryClient>, { kind, itemId }: ItemId): void {
  for (const queryKey of [['rows', kind, itemId], ['statistics', kind, itemId], ['items', kind], ['courses']])
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
}
