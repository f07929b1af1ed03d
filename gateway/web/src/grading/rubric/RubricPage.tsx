import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { itemQuery, rubricQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery, useRole } from '../queue/itemQueries.ts';
import { RubricEditor } from './RubricEditor.tsx';
import './rubric.css';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/rubric');

export function RubricPage() {
  const { t } = useTranslation();
  const { kind, itemId } = route.useParams();
  const item: ItemId = useMemo(() => ({ kind, itemId }), [kind, itemId]);
  const queryClient = useQueryClient();
  const about = useQuery(itemQuery(item));
  const described = useQuery(describedItemQuery(item));
  const role = useRole(about.data?.course_id);
  const rubric = useQuery({
    ...rubricQuery(item, about.data?.has_rubric),
    enabled: about.data !== undefined,
    // A refetch must not replace the rubric while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [version, setVersion] = useState(0);
  const failed = about.error ?? rubric.error;

  /** Refetches every query that contains grades or the rubric. */
  const onSaved = (saved: Awaited<ReturnType<typeof rubric.refetch>>['data']) => {
    queryClient.setQueryData(rubricQuery(item).queryKey, saved ?? null);
    for (const queryKey of [
      ['sheet', kind],
      ['rows', kind, itemId],
      ['statistics', kind, itemId],
      ['items', kind],
    ])
      void queryClient.invalidateQueries({ queryKey });
    setVersion((before) => before + 1);
  };

  return (
    <>
      {failed ? (
        <ErrorState error={failed} onRetry={() => void Promise.all([about.refetch(), rubric.refetch()])} />
      ) : about.isPending || rubric.isPending || described.isPending ? (
        <Loading />
      ) : role === 'grader' && described.data?.item.graders_edit_rubric === false ? (
        <EmptyState title={t('Only teachers of the course can change this rubric')}>
          <p>{t('You see its items while you grade.')}</p>
        </EmptyState>
      ) : (
        <RubricEditor
          key={version}
          item={item}
          saved={rubric.data ?? null}
          usualTotal={kind === 'homeworks' ? 10 : (about.data?.total_grade ?? null)}
          wasSaved={version > 0}
          onSaved={onSaved}
        />
      )}
    </>
  );
}
