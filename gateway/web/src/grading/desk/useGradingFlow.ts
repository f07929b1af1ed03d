import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { sheetKey } from '../queue/gradingQueries.ts';
import { claimNext, release } from '../queue/gradingRequests.ts';
import type { Queue, Sheet } from '../queue/gradingTypes.ts';
import { outlineQuery } from '../queue/questionQueries.ts';
import { neighbour, withOpened } from '../queue/trail.ts';
import { readTrail, rememberTrail } from '../queue/trailStore.ts';
import { type Look, prepareFirstPage, readNeighbours } from './prepareSheets.ts';
import { openingPage } from './questionSheet.ts';
import { type Ahead, useClaimAhead } from './useClaimAhead.ts';

export type { Look };

type Said =
  | 'Nothing left to grade'
  | 'No more submissions in this direction'
  | 'The next submission could not be loaded. Try again.'
  | '';

const none: number[] = [];
/** Limits memory use when a grader pages faster than neighbours can be prepared. */
const maxPrepared = 3;

/**
 * Navigates through the submissions of an item, or their answers to one question. While one is being graded, the next is
 * claimed and loaded, and its first page rendered, so that it appears immediately. The page always shows the submission
 * in the URL: a late response only fills the cache.
 */
export function useGradingFlow(item: Queue, id: number, look: { current: Look }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const ahead = useRef<Ahead>(undefined);
  const skipped = useRef(new Set<number>());
  /** Submissions being saved: done for the grader, but not yet graded in the service. */
  const leaving = useRef(new Set<number>());
  /** The submission from which `goOn` is moving on. */
  const movingFrom = useRef<number>(undefined);
  /** The submission on the screen. A ref keeps the callbacks below stable from one submission to the next. */
  const here = useRef(id);
  const [statusText, setStatusText] = useState<Said>('');
  /** The submissions rendered beside the open one, hidden. */
  const [prepared, setPrepared] = useState(none);

  // Runs only when the next submission is shown: until then, keys apply to the previous one.
  useLayoutEffect(() => {
    here.current = id;
    setStatusText('');
  }, [id]);

  // Another question has another queue: a request still in flight for the previous one must not move the grader
  // there.
  const current = useRef(item);
  useLayoutEffect(() => {
    current.current = item;
    for (const known of [skipped, leaving]) known.current = new Set();
    movingFrom.current = undefined;
    setPrepared(none);
  }, [item]);

  const hasLeft = useCallback((from: number) => here.current !== from || current.current !== item, [item]);

  const open = useCallback(
    (next: number, questionId = item.questionId) => {
      const last = here.current;
      rememberTrail(item, withOpened(readTrail(item), next, last));
      // Removing the previous submission from the page would delay the next one's frame.
      setPrepared((before) => [...before.filter((each) => each !== last), last].slice(-maxPrepared));
      return navigate({
        to: '/grading/$kind/$itemId/submissions/$submissionId',
        params: { kind: item.kind, itemId: item.itemId, submissionId: next },
        search: questionId === undefined ? {} : { question: questionId },
        resetScroll: false,
      });
    },
    [navigate, item],
  );

  const claimAnother = useCallback(async (): Promise<Sheet | undefined> => {
    const claimed = await claimNext(item, [...skipped.current, ...leaving.current, here.current]);
    if (!claimed) return undefined;
    const { detail, etag } = claimed;
    queryClient.setQueryData(sheetKey(item.kind, detail.id), { detail, etag });
    return { detail, etag };
  }, [item, queryClient]);

  /** Claims the next submission ahead, once for each submission. */
  const claimAhead = useCallback(() => {
    if (ahead.current?.after === here.current) return;
    const sheet = claimAnother();
    ahead.current = { after: here.current, sheet };
    sheet.catch(() => {
      if (ahead.current?.sheet === sheet) ahead.current = undefined;
    });
  }, [claimAnother]);

  /**
   * Prepares the submissions that keys lead to from here: the next to grade, if `claims`, and the neighbours on the
   * trail.
   */
  const prepare = useCallback(
    async (claims: boolean): Promise<Sheet[]> => {
      const from = here.current;
      if (claims) claimAhead();
      const next = ahead.current?.after === from ? ahead.current.sheet.catch(() => undefined) : undefined;
      const sheets = [await next, ...(await readNeighbours(queryClient, item, from))];
      const distinct = sheets.filter((sheet) => sheet !== undefined);
      const { outline } = queryClient.getQueryData(outlineQuery(item).queryKey) ?? {};
      const question = outline?.questions.find((each) => each.id === item.questionId);
      for (const { detail } of distinct) {
        // A page that could not be rendered ahead is rendered when it is opened.
        await prepareFirstPage(detail.files, look.current, openingPage(detail, question)).catch(() => {});
        if (hasLeft(from)) return [];
      }
      setPrepared(distinct.map(({ detail }) => detail.id));
      return distinct;
    },
    [claimAhead, queryClient, item, look, hasLeft],
  );

  /** The submissions rendered beside the open one: their files stay open. */
  const held = useRef(none);
  held.current = prepared;
  const heldSheets = useCallback(
    () => held.current.flatMap((each) => queryClient.getQueryData<Sheet>(sheetKey(item.kind, each)) ?? []),
    [item, queryClient],
  );

  /** Moves on to the next submission to grade. Returns false if there is none. */
  const goOn = useCallback(async (): Promise<boolean> => {
    const from = here.current;
    if (movingFrom.current === from) return true;
    movingFrom.current = from;
    leaving.current.add(from);
    try {
      const claimed =
        ahead.current?.after === from ? await ahead.current.sheet.catch(() => undefined) : undefined;
      const next = claimed ?? (await claimAnother());
      // A grader who has already navigated elsewhere stays there. The claimed submission is offered again.
      if (hasLeft(from)) return true;
      if (next) {
        await open(next.detail.id);
        return true;
      }
      setStatusText('Nothing left to grade');
      return false;
    } catch {
      if (hasLeft(from)) return true;
      setStatusText('The next submission could not be loaded. Try again.');
      return false;
    } finally {
      if (movingFrom.current === from) movingFrom.current = undefined;
    }
  }, [claimAnother, open, hasLeft]);

  const step = useCallback(
    async (direction: 1 | -1) => {
      const next = neighbour(readTrail(item), here.current, direction);
      if (next !== undefined) await open(next);
      else if (direction === 1) await goOn();
      else setStatusText('No more submissions in this direction');
    },
    [item, open, goOn],
  );

  const skip = useCallback(async () => {
    skipped.current.add(here.current);
    release({ ...item, id: here.current }).catch(() => {});
    await goOn();
  }, [item, goOn]);

  /** Call this for a grading that was not saved: its submission is offered again. */
  const comeBack = useCallback((unsaved: number) => void leaving.current.delete(unsaved), []);

  useClaimAhead(item, ahead);
  const flow = useMemo(
    () => ({ prepare, heldSheets, goOn, step, skip, comeBack, open }),
    [prepare, heldSheets, goOn, step, skip, comeBack, open],
  );
  return { flow, statusText, prepared };
}

export type GradingFlow = ReturnType<typeof useGradingFlow>['flow'];
