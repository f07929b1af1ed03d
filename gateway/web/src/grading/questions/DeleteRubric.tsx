import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { rubricQuery } from '../queue/gradingQueries.ts';
import { deleteRubric } from '../queue/gradingRequests.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { useGradesRefresh } from '../queue/questionQueries.ts';

/** Deletes the rubric of whole submissions, so that questions can take its place. */
export function DeleteRubric({ item }: { item: ItemId }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = rubricQuery(item);
  const saved = useQuery({ ...query, staleTime: 0 });
  const refresh = useGradesRefresh(item);
  const [isAsked, setAsked] = useState(false);

  async function remove(etag: string): Promise<void> {
    try {
      await deleteRubric(item, etag);
    } catch (error) {
      // Another teacher may have changed the rubric. The next attempt deletes its current version.
      void saved.refetch();
      throw error;
    }
    queryClient.setQueryData(query.queryKey, null);
    refresh();
  }

  if (!saved.data) return null;
  const { rubric, etag } = saved.data;
  const isUsed = rubric.items.some(({ uses }) => uses > 0);
  return (
    <>
      <Button className="button danger" aria-haspopup="dialog" onPress={() => setAsked(true)}>
        {t('Delete the rubric')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t('Delete the rubric?')}
          action={t('Delete the rubric')}
          onConfirm={() => remove(etag)}
          onClose={() => setAsked(false)}
        >
          <p>{t('All of its items are lost. This cannot be undone.')}</p>
          {isUsed && (
            <p>{t('Gradings use it. Their grades stay, but no longer say which items they are for.')}</p>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
