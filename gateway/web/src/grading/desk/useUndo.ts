import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { progressQuery, sheetKey } from '../queue/gradingQueries.ts';
import { saveGrading, undoGrading } from '../queue/gradingRequests.ts';
import type { ItemId, Sheet } from '../queue/gradingTypes.ts';
import { draftOf, restoringBody } from './draft.ts';
import { keepDraft } from './draftStore.ts';
import type { SaveJob } from './saveOrder.ts';

/** A grading that was saved, and the state that it made. */
interface Undoable {
  job: SaveJob;
  saved: Sheet;
}

const undoableFor = 10_000;

interface Undo {
  /** The grading that can still be undone. */
  undoable: Undoable | undefined;
  offer(undoable: Undoable | undefined): void;
  /** Restores the state before the last save. Returns the submission, or why nothing was undone as an English text. */
  undo(): Promise<{ id: number } | { because: string } | undefined>;
}

/** Offers for ten seconds to undo the last grading. */
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
    // A second press of the key is not a second undoing.
    latest.current = undefined;
    offer(undefined);
    try {
      await restore(last, queryClient, item);
      return { id: last.job.owner.id };
    } catch (error) {
      const isChanged = error instanceof ApiError && error.status === 412;
      return { because: isChanged ? 'Not undone: it has changed meanwhile' : 'Not undone. Try again.' };
    }
  }, [queryClient, item]);

  return { undoable, offer, undo };
}

/** The last grading before it, or none. Marks belong to the files and stay; a comment that would be lost becomes a draft. */
async function restore({ job, saved }: Undoable, queryClient: QueryClient, item: ItemId): Promise<void> {
  const { owner, before, draft } = job;
  if (before.status === 'graded') {
    const restored = await saveGrading(owner, restoringBody(before), saved.etag, crypto.randomUUID());
    queryClient.setQueryData(sheetKey(owner.kind, owner.id), restored);
    return;
  }
  const restored = await undoGrading(owner, saved.etag);
  const base = draftOf(restored.detail, null);
  const { comment, total } = draft;
  if (comment !== '')
    keepDraft(owner, {
      draft: { ...base, comment, total },
      base: { ...base, total },
      etag: restored.etag,
      keptAt: Date.now(),
    });
  queryClient.setQueryData(sheetKey(owner.kind, owner.id), restored);
  queryClient.setQueryData(progressQuery(item).queryKey, (known) =>
    known ? { ...known, graded: Math.max(0, known.graded - 1) } : known,
  );
}
