import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { itemQuery, rubricQuery } from '../queue/gradingQueries.ts';
import { previewRubric, saveRubric } from '../queue/gradingRequests.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { outlineQuery } from '../queue/questionQueries.ts';
import { EditableRubric } from './EditableRubric.tsx';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/rubric');

/** The rubric of whole submissions. Work with questions has one for each question instead. */
export function RubricPage() {
  const { t } = useTranslation();
  const { kind, itemId } = route.useParams();
  const item: ItemId = useMemo(() => ({ kind, itemId }), [kind, itemId]);
  const about = useQuery(itemQuery(item));
  const outline = useQuery(outlineQuery(item));
  const query = rubricQuery(item, about.data?.has_rubric);
  const rubric = useQuery({
    ...query,
    enabled: about.data !== undefined,
    // A refetch must not replace the rubric while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
  });

  if (about.error) return <ErrorState error={about.error} onRetry={() => void about.refetch()} />;
  if (about.isPending || outline.isPending) return <Loading />;
  if (outline.data && outline.data.outline.questions.length > 0)
    return (
      <EmptyState title={t('This work is graded by question')}>
        <p>{t('Each question has its own rubric.')}</p>
        <Link to="/grading/$kind/$itemId/questions" params={item} className="button">
          {t('Questions')}
        </Link>
      </EmptyState>
    );
  return (
    <EditableRubric
      item={item}
      rubric={rubric}
      queryKey={query.queryKey}
      usualTotal={kind === 'homeworks' ? 10 : about.data.total_grade}
      isMaxFixed={kind === 'homeworks'}
      preview={(body, etag) => previewRubric(item, body, etag)}
      save={(body, etag) => saveRubric(item, body, etag)}
    />
  );
}
