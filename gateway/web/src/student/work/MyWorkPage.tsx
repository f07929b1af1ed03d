import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components';
import { usePerson } from '../../shared/access/currentSession.ts';
import { useWords } from '../../shared/language/text.ts';
import { EmptyState, ErrorState, explain, Loading } from '../../shared/ui/states.tsx';
import { uploads } from '../handIn/currentUploads.ts';
import { isUnderWay, type UploadState, uploadId } from '../handIn/uploadTypes.ts';
import {
  coursesQuery,
  homeworksQuery,
  quizSubmissionsQuery,
  quizzesQuery,
} from '../records/studentQueries.ts';
import './work.css';
import { WorkCard } from './WorkCard.tsx';
import { type Work, workGroups } from './workGroups.ts';

const sections = [
  { group: 'open', english: 'To hand in', empty: 'Nothing is open now.' },
  { group: 'comingUp', english: 'Coming up', empty: null },
  { group: 'handedIn', english: 'Handed in', empty: null },
  { group: 'missed', english: 'Missed', empty: null },
] as const;

/** What a student has to do, and has done. */
export function MyWorkPage() {
  const { t } = useWords();
  const { id: personId } = usePerson();
  const [isStarting, setStarting] = useState(false);
  const quizzes = useQuery({ ...quizzesQuery, refetchInterval: isStarting ? 2_000 : 60_000 });
  const submissions = useQuery(quizSubmissionsQuery);
  const homeworks = useQuery(homeworksQuery);
  const courses = useQuery(coursesQuery);
  const lists = [quizzes, submissions, homeworks];
  const failed = lists.filter(({ error, data }) => error && !data);
  // Strings: the page is not drawn again with each piece that is sent.
  const underWay = useSyncExternalStore(uploads.subscribe, () => idsUnderWay(uploads.snapshot()));
  const newest = useSyncExternalStore(uploads.subscribe, () => newestReceipt(uploads.snapshot(), personId));

  const groups = useMemo(
    () =>
      workGroups({
        quizzes: quizzes.data?.items ?? [],
        // Without the quizzes themselves they would be listed as if their course were gone.
        submissions: quizzes.data ? (submissions.data ?? []) : [],
        homeworks: homeworks.data?.items ?? [],
        courses: courses.data ?? [],
        deviceNow: localNow(),
        isUploading: ({ kind, id }) => underWay.split(' ').includes(uploadId(personId, kind, id)),
      }),
    [quizzes.data, submissions.data, homeworks.data, courses.data, underWay, personId],
  );

  const { refetch: askQuizzes } = quizzes;
  const { refetch: askHomeworks } = homeworks;
  const checkTime = useCallback(() => {
    void askQuizzes();
    void askHomeworks();
  }, [askQuizzes, askHomeworks]);
  useEndAfter(isStarting, setStarting, quizzes.data?.items);

  const isNothing = sections.every(({ group }) => groups[group].length === 0);

  return (
    <div className="page">
      <div className="page-header">
        <h1>{t('My work')}</h1>
      </div>
      {failed.length > 0 && failed.length < lists.length && (
        <div className="notice" role="alert">
          <span>
            {explain(failed[0]?.error, t).title}. {t('Some of it is missing here.')}
          </span>
          <Button className="button" onPress={() => failed.forEach(({ refetch }) => void refetch())}>
            {t('Try again')}
          </Button>
        </div>
      )}
      {failed.length === lists.length ? (
        <ErrorState
          error={failed[0]?.error}
          onRetry={() => {
            for (const { refetch } of failed) void refetch();
          }}
        />
      ) : lists.some(({ isPending }) => isPending) ? (
        <Loading />
      ) : isNothing && failed.length === 0 ? (
        <EmptyState title={t('There is nothing to do yet')}>
          <p>{t('Quizzes and homework appear here as soon as your teachers add them.')}</p>
        </EmptyState>
      ) : (
        sections.map(({ group, english, empty }) => (
          <WorkSection
            key={group}
            title={t(english)}
            works={groups[group]}
            empty={empty === null ? null : t(empty)}
          >
            {(work) => (
              <WorkCard
                key={`${work.kind} ${work.id}`}
                work={work}
                askedAt={(work.kind === 'quizzes' ? quizzes : homeworks).data?.askedAt ?? 0}
                clockOffset={quizzes.data?.clockOffset ?? 0}
                showsReceipt={newest === uploadId(personId, work.kind, work.id)}
                onCheckTime={checkTime}
                onOpenQuestions={() => setStarting(true)}
              />
            )}
          </WorkSection>
        ))
      )}
    </div>
  );
}

interface SectionProps {
  title: string;
  works: Work[];
  empty: string | null;
  children(work: Work): React.ReactNode;
}

/** A school year has many of them: more are shown on demand. */
const shownAtFirst = 12;

function WorkSection({ title, works, empty, children }: SectionProps) {
  const { t } = useWords();
  const [isLong, setLong] = useState(false);
  if (works.length === 0 && empty === null) return null;
  const shown = isLong ? works : works.slice(0, shownAtFirst);
  return (
    <section className="works" aria-label={title}>
      <h2>{title}</h2>
      {works.length === 0 ? <p className="quiet">{empty}</p> : <ul>{shown.map(children)}</ul>}
      {shown.length < works.length && (
        <div>
          <Button className="button" onPress={() => setLong(true)}>
            {t('Show all {count}', { count: String(works.length) })}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The device's time, in the way in which the school's is written. */
function localNow(): Date {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
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
