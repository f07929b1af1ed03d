import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { fitScale } from '../../shared/sheet/sheetDocument.ts';
import { sheetKey, sheetQuery } from '../queue/gradingQueries.ts';
import { claim, claimNext, release } from '../queue/gradingRequests.ts';
import type { GradingFile, ItemId, Sheet } from '../queue/gradingTypes.ts';
import { neighbour, withOpened } from '../queue/trail.ts';
import { readTrail, rememberTrail } from '../queue/trailStore.ts';
import { openSheets } from '../sheet/openSheets.ts';
import type { Zoom } from '../sheet/zoom.ts';

/** How pages are looked at, for drawing those of the next sheet. */
export interface Look {
  width: number;
  zoom: Zoom;
}

interface Prepared {
  /** The submission after which it comes. */
  after: number;
  sheet: Promise<Sheet | undefined>;
}

type Said =
  | 'Nothing is left to grade'
  | 'There is none in this direction'
  | 'The next one cannot be read now. Try again.'
  | '';

const claimRenewal = 60_000;

/**
 * The way through the submissions of an item. While one is being graded, the next is claimed, read and its first page drawn, so
 * that it appears at once. What is shown is always what the address names: an answer that comes late only fills the cache.
 */
export function useGradingFlow(item: ItemId, id: number, look: { current: Look }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const prepared = useRef<Prepared>(undefined);
  const skipped = useRef(new Set<number>());
  /** Being saved: not graded yet for the service, but done for the grader. */
  const leaving = useRef(new Set<number>());
  const isMoving = useRef(false);
  const [said, setSaid] = useState<Said>('');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another submission is open when the id changes
  useEffect(() => {
    isMoving.current = false;
    setSaid('');
  }, [id]);

  const open = useCallback(
    (next: number) => {
      rememberTrail(item, withOpened(readTrail(item), next, id));
      const params = { ...item, submissionId: next };
      return navigate({ to: '/grading/$kind/$itemId/submissions/$submissionId', params, resetScroll: false });
    },
    [navigate, item, id],
  );

  const claimAnother = useCallback(async (): Promise<Sheet | undefined> => {
    const sheet = await claimNext(item, [...skipped.current, ...leaving.current, id]);
    if (sheet) queryClient.setQueryData(sheetKey(item.kind, sheet.detail.id), sheet);
    return sheet;
  }, [item, id, queryClient]);

  /** Claims the next one ahead. */
  const prepareNext = useCallback(() => {
    if (prepared.current?.after === id) return;
    const sheet = claimAnother();
    prepared.current = { after: id, sheet };
    sheet.then(
      // What could not be drawn ahead is drawn when it is opened.
      (next) => next && prepareFirstPage(next.detail.files, look.current).catch(() => {}),
      () => {
        if (prepared.current?.sheet === sheet) prepared.current = undefined;
      },
    );
  }, [claimAnother, id, look]);

  /** Reads the neighbours that the keys for next and previous lead to. */
  const prepareNeighbours = useCallback(async () => {
    const trail = readTrail(item);
    const files: GradingFile[] = [];
    for (const next of [neighbour(trail, id, 1), neighbour(trail, id, -1)]) {
      if (next === undefined) continue;
      const { detail } = await queryClient.fetchQuery(sheetQuery(item.kind, next));
      files.push(...detail.files);
      await prepareFirstPage(detail.files, look.current);
    }
    const ahead = await prepared.current?.sheet;
    return [...files, ...(ahead?.detail.files ?? [])];
  }, [item, id, queryClient, look]);

  /** Goes to the next submission to grade; false when there is none. */
  const goOn = useCallback(async (): Promise<boolean> => {
    if (isMoving.current) return true;
    isMoving.current = true;
    leaving.current.add(id);
    try {
      const ahead =
        prepared.current?.after === id ? await prepared.current.sheet.catch(() => undefined) : undefined;
      const next = ahead ?? (await claimAnother());
      if (next) {
        await open(next.detail.id);
        return true;
      }
      setSaid('Nothing is left to grade');
      return false;
    } catch {
      setSaid('The next one cannot be read now. Try again.');
      return false;
    } finally {
      isMoving.current = false;
    }
  }, [claimAnother, open, id]);

  const step = useCallback(
    async (direction: 1 | -1) => {
      const next = neighbour(readTrail(item), id, direction);
      if (next !== undefined) await open(next);
      else if (direction === 1) await goOn();
      else setSaid('There is none in this direction');
    },
    [item, id, open, goOn],
  );

  const skip = useCallback(async () => {
    skipped.current.add(id);
    release(item.kind, id).catch(() => {});
    await goOn();
  }, [item, id, goOn]);

  /** A grading that was not saved: the submission can come again. */
  const comeBack = useCallback((unsaved: number) => void leaving.current.delete(unsaved), []);

  useClaimAhead(item, prepared);
  return useMemo(
    () => ({ said, open, prepareNext, prepareNeighbours, goOn, step, skip, comeBack }),
    [said, open, prepareNext, prepareNeighbours, goOn, step, skip, comeBack],
  );
}

export type GradingFlow = ReturnType<typeof useGradingFlow>;

/** Renews the claim of the submission that was prepared, and gives it back on leaving. */
function useClaimAhead({ kind }: ItemId, prepared: { current: Prepared | undefined }): void {
  useEffect(() => {
    const timer = setInterval(async () => {
      const ahead = prepared.current;
      const next = await ahead?.sheet.catch(() => undefined);
      if (next && prepared.current === ahead)
        // Another grader has it by now: another is claimed when this one is done.
        claim(kind, next.detail.id, false).catch(() => {
          if (prepared.current === ahead) prepared.current = undefined;
        });
    }, claimRenewal);
    return () => {
      clearInterval(timer);
      const ahead = prepared.current;
      prepared.current = undefined;
      void ahead?.sheet.then(
        (next) => next && release(kind, next.detail.id).catch(() => {}),
        () => {},
      );
    };
  }, [kind, prepared]);
}

/** Opens the files and draws the first page as it will be looked at. */
async function prepareFirstPage(files: GradingFile[], { width, zoom }: Look): Promise<void> {
  const [first] = await Promise.all(files.map((file) => openSheets.open(file)));
  if (!first) return;
  const scale = zoom === 'fit' ? fitScale(first.info(1), 0, width) : zoom;
  const view = { scale, turn: 0 } as const;
  if (!first.drawn(1, view)) await first.draw(1, view).canvas;
}
