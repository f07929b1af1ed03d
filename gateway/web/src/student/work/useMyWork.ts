import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { usePerson } from '../../shared/session/currentSession.ts';
import { useStore } from '../../shared/state/createStore.ts';
import { uploads } from '../handIn/currentUploads.ts';
import { isUnderWay, type UploadState, uploadId } from '../handIn/uploadTypes.ts';
import {
  coursesQuery,
  homeworksQuery,
  quizSubmissionsQuery,
  quizzesQuery,
} from '../records/studentQueries.ts';
import { type Work, workGroups } from './workGroups.ts';

/** Returns the logged-in student's work, and which parts of it are loaded. */
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
  // Responses are shown together, unless one takes too long.
  const isLate = useIsLate(1_500);
  const isWaiting = !isLate && pending.some(({ failureCount }) => failureCount === 0);
  // A string compares by value, so that the page does not re-render with every chunk that is uploaded.
  const underWay = useStore(uploads.states, idsUnderWay);
  const newestId = useStore(uploads.states, (states) => newestReceipt(states, personId));

  // Submitted work would appear to be open until the submissions are loaded.
  const known = submissions.isPending ? undefined : quizzes.data;
  const groups = useMemo(
    () =>
      workGroups({
        quizzes: known?.items ?? [],
        // Without the quizzes, submissions would be listed as if the student had left their course.
        submissions: known ? (submissions.data ?? []) : [],
        homeworks: homeworks.data?.items ?? [],
        courses: courses.data ?? [],
        answeredAt: { quizzes: known?.answeredAt, homeworks: homeworks.data?.answeredAt },
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
    /** Call this when the questions are being opened: the quizzes are polled until the start is recorded. */
    expectStart: () => setStarting(true),
    askedAt,
    clockOffset: quizzes.data?.clockOffset ?? 0,
    /** The upload whose receipt is shown expanded. */
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

/**
 * Refetches the lists when the next item changes its state. Later changes need no timer, because the lists are
 * refetched often.
 */
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

/** Finds the upload whose receipt is shown expanded. */
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

/** Ends the frequent polling when the start has been recorded, or after half a minute. */
function useEndAfter(isStarting: boolean, setStarting: (is: boolean) => void, items: unknown): void {
  const started = JSON.stringify(
    (items as { started_at: string | null }[] | undefined)?.map((each) => each.started_at),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly recorded start ends the polling
  useEffect(() => setStarting(false), [started]);
  useEffect(() => {
    if (!isStarting) return;
    const timer = setTimeout(() => setStarting(false), 30_000);
    return () => clearTimeout(timer);
  }, [isStarting, setStarting]);
}
