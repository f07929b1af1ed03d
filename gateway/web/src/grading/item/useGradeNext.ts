import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explain } from '../../shared/ui/states.tsx';
import { sheetKey } from '../queue/gradingQueries.ts';
import { claimNext } from '../queue/gradingRequests.ts';
import type { Queue } from '../queue/gradingTypes.ts';
import { rememberTrail } from '../queue/trailStore.ts';

/** Claims the next submission of an item, or the next answer to a question, and opens it on the desk. */
export function useGradeNext(queue: Queue) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [statusText, setStatusText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { kind, itemId } = queue;

  async function open(): Promise<void> {
    setBusy(true);
    setStatusText('');
    try {
      const next = await claimNext(queue, []);
      if (!next) return setStatusText(t('Nothing left to grade, or other graders are working on the rest.'));
      const question = queue.questionId ?? next.questionId;
      queryClient.setQueryData(sheetKey(kind, next.detail.id), { detail: next.detail, etag: next.etag });
      rememberTrail({ kind, itemId }, [next.detail.id]);
      await navigate({
        to: '/grading/$kind/$itemId/submissions/$submissionId',
        params: { kind, itemId, submissionId: next.detail.id },
        search: question === undefined ? {} : { question },
      });
    } catch (error) {
      setStatusText(explain(error, t).title);
    } finally {
      setBusy(false);
    }
  }

  return { open: () => void open(), isBusy, statusText };
}
