import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery, useRole } from '../queue/itemQueries.ts';
import { useGradesRefresh } from '../queue/questionQueries.ts';
import {
  RubricEditor,
  type RubricEditorProps,
  type RubricRequests,
  type SavedRubric,
} from './RubricEditor.tsx';
import './rubric.css';

interface Props extends RubricRequests, Pick<RubricEditorProps, 'usualTotal' | 'isMaxFixed'> {
  item: ItemId;
  rubric: UseQueryResult<SavedRubric | null>;
  queryKey: readonly unknown[];
}

/** Shows the editor of a rubric once it is loaded, to those who may change it. */
export function EditableRubric({ item, rubric, queryKey, ...rest }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const described = useQuery(describedItemQuery(item));
  const role = useRole(described.data?.item.course_id);
  const refresh = useGradesRefresh(item);
  const [version, setVersion] = useState(0);

  const onSaved = (saved: SavedRubric) => {
    queryClient.setQueryData(queryKey, saved);
    refresh();
    setVersion((before) => before + 1);
  };

  if (rubric.error) return <ErrorState error={rubric.error} onRetry={() => void rubric.refetch()} />;
  if (rubric.isPending || described.isPending) return <Loading />;
  if (role === 'grader' && described.data?.item.graders_edit_rubric === false)
    return (
      <EmptyState title={t('Only teachers of the course can change this rubric')}>
        <p>{t('You see its items while you grade.')}</p>
      </EmptyState>
    );
  return (
    <RubricEditor key={version} {...rest} saved={rubric.data} wasSaved={version > 0} onSaved={onSaved} />
  );
}
