import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { explain } from '../../shared/ui/states.tsx';
import { progressQuery, sheetKey } from '../queue/gradingQueries.ts';
import { claimNext } from '../queue/gradingRequests.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { rememberTrail } from '../queue/trailStore.ts';

/** Claims the next submission and opens it. */
export function GradeNext({ item }: { item: ItemId }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const progress = useQuery(progressQuery(item)).data;
  const isDone = progress !== undefined && progress.graded === progress.total;
  const [statusText, setStatusText] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function open(): Promise<void> {
    setBusy(true);
    setStatusText('');
    try {
      const next = await claimNext(item, []);
      if (!next) return setStatusText(t('Nothing left to grade, or other graders are working on the rest.'));
      queryClient.setQueryData(sheetKey(item.kind, next.detail.id), { detail: next.detail, etag: next.etag });
      rememberTrail(item, [next.detail.id]);
      await navigate({
        to: '/grading/$kind/$itemId/submissions/$submissionId',
        params: { ...item, submissionId: next.detail.id },
        search: next.questionId === undefined ? {} : { question: next.questionId },
      });
    } catch (error) {
      setStatusText(explain(error, t).title);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <BusyButton
        className={isDone ? 'button' : 'button primary'}
        onPress={() => void open()}
        isBusy={isBusy}
      >
        {t('Grade next')}
      </BusyButton>
      <p role="status" className="grade-next-status small">
        {statusText}
      </p>
    </>
  );
}
