import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { itemQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery, useIsTeacher } from '../queue/itemQueries.ts';
import { outlineQuery, useGradesRefresh } from '../queue/questionQueries.ts';
import type { SavedOutline } from '../queue/questionTypes.ts';
import { DeleteRubric } from './DeleteRubric.tsx';
import { OutlineEditor } from './OutlineEditor.tsx';
import { QuestionRows } from './QuestionRows.tsx';
import '../rubric/rubric.css';
import './questions.css';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/questions');

/** The questions of an item, how many answers to each are graded and, for teachers, their editor. */
export function QuestionsPage() {
  const { t } = useTranslation();
  const { kind, itemId } = route.useParams();
  const item: ItemId = useMemo(() => ({ kind, itemId }), [kind, itemId]);
  const queryClient = useQueryClient();
  const about = useQuery(itemQuery(item));
  const described = useQuery(describedItemQuery(item));
  const outline = useQuery({ ...outlineQuery(item), staleTime: 0 });
  const isTeacher = useIsTeacher(about.data?.course_id);
  const refresh = useGradesRefresh(item);
  const failed = about.error ?? outline.error ?? described.error;

  const onSaved = (saved: SavedOutline) => {
    queryClient.setQueryData(outlineQuery(item).queryKey, saved);
    refresh();
  };

  if (failed && !(about.data && outline.data))
    return (
      <ErrorState
        error={failed}
        onRetry={() => void Promise.all([about, outline, described].map((each) => each.refetch()))}
      />
    );
  // The editor starts with the current questions, not with cached ones.
  if (!about.data || described.isPending || !outline.data || !outline.isFetchedAfterMount) return <Loading />;
  const { questions } = outline.data.outline;
  if (questions.length === 0 && about.data.has_rubric)
    return (
      <EmptyState title={t('This work is graded by one rubric')}>
        <p>{t('Work has either questions or a rubric of the whole.')}</p>
        {isTeacher && <DeleteRubric item={item} />}
      </EmptyState>
    );
  if (questions.length === 0 && !isTeacher)
    return (
      <EmptyState title={t('This work has no questions')}>
        <p>{t('A teacher of the course can add them, to grade one question after the other.')}</p>
      </EmptyState>
    );
  return (
    <div className="questions-page">
      {questions.length > 0 && <QuestionRows item={item} questions={questions} />}
      {isTeacher && (
        <OutlineEditor
          item={item}
          saved={outline.data}
          questionsUrl={described.data?.item.questions_url ?? null}
          onSaved={onSaved}
        />
      )}
    </div>
  );
}
