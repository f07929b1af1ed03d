import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { progressQuery } from '../queue/gradingQueries.ts';
import type { ItemId, Sheet } from '../queue/gradingTypes.ts';
import { draftOf, restoringBody } from './draft.ts';
import { type DraftOwner, keepDraft } from './draftStore.ts';
import type { SaveJob } from './saveOrder.ts';
import { sendGrading, sendUndo } from './targetRequests.ts';

/** A saved grading and the state that it created. */
interface Undoable {
  job: SaveJob;
  saved: Sheet;
}

const undoableFor = 10_000;

interface Undo {
  /** The grading that can still be undone. */
  undoable: Undoable | undefined;
  offer(undoable: Undoable | undefined): void;
  /**
   * Restores the state before the last save. Returns what it belonged to, or an English text with the reason for the
   * failure.
   */
  undo(): Promise<{ owner: DraftOwner } | { because: string } | undefined>;
}

/** Offers to undo the last grading for ten seconds. */
export function useUndo(item: ItemId): Undo {
  const queryClient = useQueryClient();
  const [undoable, offer] = useState<Undoable>();
  const latest = useRef(undoable);
  latest.current = undoable;

  useEffect(() => {
    if (!undoable) return;
    const timer = setTimeout(() => offer(undefined), undoableFor);
    return () => clearTimeout(timer);
  }, [undoable]);

  const undo = useCallback(async () => {
    const last = latest.current;
    if (!last) return undefined;
    // A second key press must not undo twice.
    latest.current = undefined;
    offer(undefined);
    try {
      await restore(last, queryClient, item);
      return { owner: last.job.owner };
    } catch (error) {
      const isChanged = error instanceof ApiError && error.status === 412;
      return { because: isChanged ? 'Not undone: it has changed in the meantime' : 'Not undone. Try again.' };
    }
  }, [queryClient, item]);

  return { undoable, offer, undo };
}

/**
 * Restores the previous grading, or none. Marks belong to the files and stay. A comment that would be lost becomes a
 * draft.
 */
async function restore({ job, saved }: Undoable, queryClient: QueryClient, item: ItemId): Promise<void> {
  const { owner, before, draft } = job;
  if (before.status === 'graded') {
    const { annotations, ...grading } = restoringBody(before);
    const body = owner.questionId === undefined ? { ...grading, annotations } : grading;
    const [etag, key] = [saved.etag, crypto.randomUUID()];
    await sendGrading(queryClient, { owner, before, body, baseMarks: before.annotations, etag, key });
    return;
  }
  const restored = await sendUndo(queryClient, owner, saved.etag);
  const base = draftOf(restored.detail, null);
  const { comment, total } = draft;
  if (comment !== '')
    keepDraft(owner, {
      draft: { ...base, comment, total },
      base: { ...base, total },
      etag: restored.etag,
      keptAt: Date.now(),
    });
  queryClient.setQueryData(progressQuery({ ...item, questionId: owner.questionId }).queryKey, (known) =>
    known ? { ...known, graded: Math.max(0, known.graded - 1) } : known,
  );
}
