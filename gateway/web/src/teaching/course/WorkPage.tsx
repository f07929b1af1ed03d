import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { DataTable } from '../../shared/list/DataTable.tsx';
import { RelativeTime } from '../../shared/time/RelativeTime.tsx';
import { PartMissing } from '../../shared/ui/PartMissing.tsx';
import { EmptyState, ErrorState, Loading, Progress } from '../../shared/ui/states.tsx';
import { courseQuery, workKey, workQuery } from '../records/teachingQueries.ts';
import type { WorkItem } from '../records/teachingTypes.ts';
import { NewHomeworkDialog } from './NewHomeworkDialog.tsx';
import { NewQuizDialog } from './NewQuizDialog.tsx';
import { ReleaseBadge, StateBadge } from './WorkBadges.tsx';

const route = getRouteApi('/inside/teachers/courses/$courseId/');

/** Lists the quizzes and assignments of a course. */
export function WorkPage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const queryClient = useQueryClient();
  const isTeacher = useQuery(courseQuery(courseId)).data?.role === 'teacher';
  const lists = useQueries({ queries: [workQuery('quizzes', courseId), workQuery('homeworks', courseId)] });
  const [open, setOpen] = useState<'quiz' | 'homework'>();
  const close = () => setOpen(undefined);
  const refreshAfter = async (work: Promise<unknown>) => {
    await work;
    await queryClient.invalidateQueries({ queryKey: workKey });
  };
  const failed = lists.filter(({ error, data }) => error && !data);
  const retry = () => {
    for (const list of failed) void list.refetch();
  };

  return (
    <Section
      id="work"
      title={t('Work')}
      action={
        isTeacher && (
          <div className="header-buttons">
            <Button className="button" onPress={() => setOpen('quiz')}>
              {t('New quiz')}
            </Button>
            <Button className="button" onPress={() => setOpen('homework')}>
              {t('New homework')}
            </Button>
          </div>
        )
      }
    >
      {failed.length === 1 && <PartMissing error={failed[0]?.error} onRetry={retry} />}
      {failed.length === lists.length ? (
        <ErrorState error={failed[0]?.error} onRetry={retry} />
      ) : lists.some(({ isPending }) => isPending) ? (
        <Loading />
      ) : (
        <WorkTable items={lists.flatMap(({ data }) => data?.items ?? [])} />
      )}
      {open === 'quiz' && <NewQuizDialog courseId={courseId} onCreated={refreshAfter} onClose={close} />}
      {open === 'homework' && (
        <NewHomeworkDialog courseId={courseId} onCreated={refreshAfter} onClose={close} />
      )}
    </Section>
  );
}

function WorkTable({ items }: { items: WorkItem[] }) {
  const { t } = useTranslation();
  if (items.length === 0)
    return (
      <EmptyState title={t('No work yet')}>
        <p>{t('Quizzes and homework appear here, including drafts.')}</p>
      </EmptyState>
    );
  const kindOf = ({ kind }: WorkItem) => (kind === 'quizzes' ? t('Quiz') : t('Homework'));
  return (
    <DataTable
      label={t('Work')}
      rows={items}
      keyOf={({ kind, id }) => `${kind}-${id}`}
      columns={[
        {
          name: t('Title'),
          sortBy: ({ title }) => title,
          cell: ({ kind, id, title }) => (
            <Link to="/grading/$kind/$itemId" params={{ kind, itemId: id }} className="written">
              {title}
            </Link>
          ),
        },
        { name: t('Kind'), sortBy: kindOf, cell: kindOf },
        {
          name: t('State'),
          sortBy: ({ state }) => ['draft', 'open', 'closed'].indexOf(state),
          cell: ({ state }) => <StateBadge state={state} />,
        },
        {
          name: t('Closes'),
          // Items without a closing time come last.
          sortBy: ({ closes_at }) => closes_at ?? '~',
          cell: ({ closes_at }) => (closes_at ? <RelativeTime at={closes_at} /> : '–'),
        },
        {
          name: t('Graded'),
          sortBy: ({ graded, submissions }) => (submissions === 0 ? 1 : graded / submissions),
          cell: (item) => <GradedCount item={item} />,
        },
        {
          name: t('Grades'),
          sortBy: ({ released_at }) => (released_at === null ? 1 : 0),
          cell: ({ released_at }) => <ReleaseBadge releasedAt={released_at} />,
        },
      ]}
    />
  );
}

function GradedCount({ item: { title, graded, submissions } }: { item: WorkItem }) {
  const { t, formatNumber } = useTranslation();
  const text = t('{graded} of {total} graded', {
    graded: formatNumber(graded),
    total: formatNumber(submissions),
  });
  return (
    <span className="stacked figures">
      {text}
      {submissions > 0 && (
        <Progress name={t('{title} graded', { title })} value={graded} max={submissions} text={text} />
      )}
    </span>
  );
}
