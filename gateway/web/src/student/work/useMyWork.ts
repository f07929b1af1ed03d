import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { usePerson } from '../../shared/access/currentSession.ts';
import { uploads } from '../handIn/currentUploads.ts';
import { isUnderWay, type UploadState, uploadId } from '../handIn/uploadTypes.ts';
import {
  coursesQuery,
  homeworksQuery,
  quizSubmissionsQuery,
  quizzesQuery,
} from '../records/studentQueries.ts';
import { type Work, workGroups } from './workGroups.ts';

/** The work of the student who is logged in, and how complete it is. */
export function useMyWork() {
  const { id: personId } = usePerson();
  const [isStarting, setStarting] = useState(false);
  const quizzes = useQuery({ ...quizzesQuery, refetchInterval: isStarting ? 2_000 : 60_000 });
  const submissions = useQuery(quizSubmissionsQuery);
  const homeworks = useQuery(homeworksQuery);
  const courses = useQuery(coursesQuery);
  const lists = [quizzes, submissions, homeworks];
  const failed = lists.filter(({ error, data }) => error && !data);
  const pending = lists.filter(({ isPending }) => isPending);
  // Answers are shown together, unless one of them takes long.
  const isLate = useIsLate(1_500);
  const isWaiting = !isLate && pending.some(({ failureCount }) => failureCount === 0);
  // Strings: the page is not drawn again with each piece that is sent.
  const underWay = useSyncExternalStore(uploads.subscribe, () => idsUnderWay(uploads.snapshot()));
  const newestId = useSyncExternalStore(uploads.subscribe, () => newestReceipt(uploads.snapshot(), personId));

  // Submitted work would seem open as long as the submissions are not loaded.
  const known = submissions.isPending ? undefined : quizzes.data;
  const groups = useMemo(
    () =>
      workGroups({
        quizzes: known?.items ?? [],
        // Without the quizzes themselves they would be listed as if their course were gone.
        submissions: known ? (submissions.data ?? []) : [],
        homeworks: homeworks.data?.items ?? [],
        courses: courses.data ?? [],
        isUploading: ({ kind, id }) => underWay.split(' ').includes(uploadId(personId, kind, id)),
      }),
    [known, submissions.data, homeworks.data, courses.data, underWay, personId],
  );

  const { refetch: askQuizzes } = quizzes;
  const { refetch: askHomeworks } = homeworks;
  const checkTime = useCallback(() => {
    void askQuizzes();
    void askHomeworks();
  }, [askQuizzes, askHomeworks]);
  useEndAfter(isStarting, setStarting, quizzes.data?.items);
  const askedAt = { quizzes: quizzes.data?.askedAt ?? 0, homeworks: homeworks.data?.askedAt ?? 0 };
  useNextChange(Object.values(groups).flat(), askedAt, checkTime);

  return {
    groups,
    isWaiting: isWaiting || pending.length === lists.length,
    isPartial: pending.length > 0 || failed.length > 0,
    isLoadingRest: pending.length > 0,
    hasFailedWhole: failed.length === lists.length,
    error: failed[0]?.error,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
    checkTime,
    /** The questions are being opened: the start is asked for until it is there. */
    expectStart: () => setStarting(true),
    askedAt,
    clockOffset: quizzes.data?.clockOffset ?? 0,
    /** Of the upload whose receipt is shown without being asked for. */
    newestId,
    personId,
  };
}

function useIsLate(afterMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}

const hour = 3_600_000;

/** Requests the lists again when the first item changes its state. Later changes need no timer: the lists are requested often. */
function useNextChange(works: Work[], askedAt: Record<Work['kind'], number>, onChange: () => void): void {
  const next = works.reduce(
    (first, { kind, secondsUntil }) =>
      secondsUntil === null ? first : Math.min(first, askedAt[kind] + secondsUntil * 1_000),
    Number.POSITIVE_INFINITY,
  );
  useEffect(() => {
    const ms = next - performance.now();
    if (ms > hour) return;
    const timer = setTimeout(onChange, ms);
    return () => clearTimeout(timer);
  }, [next, onChange]);
}

const idsUnderWay = (states: ReadonlyMap<string, UploadState>): string =>
  [...states].flatMap(([id, state]) => (isUnderWay(state) ? [id] : [])).join(' ');

const recent = 24 * 3_600_000;

/** The upload whose receipt is shown without being asked for. */
function newestReceipt(states: ReadonlyMap<string, UploadState>, personId: number): string | undefined {
  let newest: { id: string; keptAt: number } | undefined;
  for (const [id, state] of states)
    if (
      state.status === 'done' &&
      id.startsWith(`${personId}.`) &&
      state.receipt.keptAt > (newest?.keptAt ?? 0)
    )
      newest = { id, keptAt: state.receipt.keptAt };
  return newest && Date.now() - newest.keptAt < recent ? newest.id : undefined;
}

/** Asking often ends when the start that one made is there, or after half a minute. */
function useEndAfter(isStarting: boolean, setStarting: (is: boolean) => void, items: unknown): void {
  const started = JSON.stringify(
    (items as { started_at: string | null }[] | undefined)?.map((each) => each.started_at),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another start is what ends it
  useEffect(() => setStarting(false), [started]);
  useEffect(() => {
    if (!isStarting) return;
    const timer = setTimeout(() => setStarting(false), 30_000);
    return () => clearTimeout(timer);
  }, [isStarting, setStarting]);
}
