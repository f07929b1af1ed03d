import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { LoggedOut } from '../../shared/access/session.ts';
import { ApiError, isPassing } from '../../shared/api/apiError.ts';
import { progressQuery, sheetKey } from '../queue/gradingQueries.ts';
import { type GradingBody, saveGrading } from '../queue/gradingRequests.ts';
import type { Detail, ItemId, Sheet } from '../queue/gradingTypes.ts';
import { afterPaint } from './afterPaint.ts';
import { bodyOf, type Draft, draftOf, fitToRubric, isSameDraft } from './draft.ts';
import { type DraftOwner, dropDraft, readDraft } from './draftStore.ts';

/** A grading on its way to the service. It belongs to its submission, whatever is on the screen by then. */
interface SaveJob {
  owner: DraftOwner;
  studentName: string;
  wasGraded: boolean;
  draft: Draft;
  body: GradingBody;
  etag: string;
  key: string;
}

interface Conflict {
  job: SaveJob;
  theirs: Sheet;
}

export interface Saves {
  pending: number;
  /** What to say about the last grading: an English text. */
  said: 'Saving…' | 'Saved' | 'Not saved yet: trying again' | '';
  failure: { job: SaveJob; error: unknown } | undefined;
  conflicts: Conflict[];
  /** Counts the gradings of others that replaced what this grader had entered. */
  replaced: number;
  save(job: SaveJob): Promise<Sheet | undefined>;
  keepMine(conflict: Conflict): void;
  acceptTheirs(conflict: Conflict): void;
  forgetFailure(): void;
}

const attempts = 6;

/** Waits before the next attempt. Without a network none can succeed: then it waits for the network. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, milliseconds);
    else window.addEventListener('online', () => resolve(), { once: true });
  });
}

interface OnItsWay {
  draft: Draft;
  work: Promise<Sheet | undefined>;
}

/**
 * Saves gradings while the grader goes on. Two of one submission are saved one after the other, the second upon the state that
 * the first has made; the same one is not saved twice.
 */
export function useSaves(item: ItemId): Saves {
  const queryClient = useQueryClient();
  const [pending, setPending] = useState(0);
  const [said, setSaid] = useState<Saves['said']>('');
  const [failure, setFailure] = useState<Saves['failure']>();
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const [replaced, setReplaced] = useState(0);
  const lastOf = useRef(new Map<number, OnItsWay>());

  useAskBeforeLeaving(pending > 0);

  const send = useCallback(
    async (job: SaveJob): Promise<Sheet | undefined> => {
      setSaid('Saving…');
      // A request takes milliseconds to begin, and the next sheet is waiting for its frame.
      await afterPaint();
      for (let attempt = 1; ; attempt += 1)
        try {
          const saved = await saveGrading(job.owner, job.body, job.etag, job.key);
          queryClient.setQueryData(sheetKey(job.owner.kind, job.owner.id), saved);
          const kept = readDraft(job.owner);
          if (kept && isSameDraft(kept.draft, job.draft)) dropDraft(job.owner);
          if (!job.wasGraded)
            queryClient.setQueryData(progressQuery(item).queryKey, (known) =>
              known ? { ...known, graded: Math.min(known.total, known.graded + 1) } : known,
            );
          forgetLists(queryClient, item);
          setSaid('Saved');
          return saved;
        } catch (error) {
          if (error instanceof ApiError && error.status === 412 && error.data) {
            const theirs = { detail: error.data as Detail, etag: error.etag ?? '*' };
            setConflicts((before) => [...before, { job, theirs }]);
            setSaid('');
            return undefined;
          }
          if (error instanceof LoggedOut || !isPassing(error) || attempt === attempts) {
            setFailure({ job, error });
            setSaid('');
            return undefined;
          }
          setSaid('Not saved yet: trying again');
          await pause(500 * 2 ** attempt);
        }
    },
    [queryClient, item],
  );

  const save = useCallback(
    async (job: SaveJob) => {
      const last = lastOf.current.get(job.owner.id);
      if (last && isSameDraft(last.draft, job.draft)) return last.work;
      setPending((before) => before + 1);
      const work = Promise.resolve(last?.work).then((saved) => send(saved ? upon(saved, job) : job));
      lastOf.current.set(job.owner.id, { draft: job.draft, work });
      try {
        return await work;
      } finally {
        if (lastOf.current.get(job.owner.id)?.work === work) lastOf.current.delete(job.owner.id);
        setPending((count) => count - 1);
      }
    },
    [send],
  );

  return useMemo(() => {
    const settle = (conflict: Conflict) =>
      setConflicts((before) => before.filter((each) => each !== conflict));
    return {
      pending,
      said,
      failure,
      conflicts,
      replaced,
      save,
      forgetFailure: () => setFailure(undefined),
      keepMine: (conflict) => {
        settle(conflict);
        void save(upon(conflict.theirs, conflict.job));
      },
      acceptTheirs: (conflict) => {
        const { owner } = conflict.job;
        dropDraft(owner);
        queryClient.setQueryData(sheetKey(owner.kind, owner.id), conflict.theirs);
        setReplaced((before) => before + 1);
        settle(conflict);
      },
    };
  }, [pending, said, failure, conflicts, replaced, save, queryClient]);
}

/** The same grading for a newer state of the submission. */
function upon({ detail, etag }: Sheet, job: SaveJob): SaveJob {
  const draft = fitToRubric(job.draft, detail);
  const body = bodyOf(draft, draftOf(detail, null), detail, job.owner.kind);
  return { ...job, draft, body, wasGraded: detail.status === 'graded', etag, key: crypto.randomUUID() };
}

function forgetLists(queryClient: ReturnType<typeof useQueryClient>, { kind, itemId }: ItemId): void {
  for (const queryKey of [['rows', kind, itemId], ['statistics', kind, itemId], ['items', kind], ['courses']])
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
}

function useAskBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
