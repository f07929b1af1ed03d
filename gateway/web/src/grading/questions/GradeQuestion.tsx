import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { explain } from '../../shared/ui/states.tsx';
import { sheetKey } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { claimNextAnswer } from '../queue/questionRequests.ts';
import type { Question } from '../queue/questionTypes.ts';
import { rememberTrail } from '../queue/trailStore.ts';

interface Props {
  item: ItemId;
  question: Question;
}

/** Claims the next answer to a question and opens the desk for that question. */
export function GradeQuestion({ item, question: { id, label } }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [statusText, setStatusText] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function open(): Promise<void> {
    setBusy(true);
    setStatusText('');
    try {
      const next = await claimNextAnswer({ ...item, questionId: id });
      if (!next) return setStatusText(t('Nothing left to grade, or other graders are working on the rest.'));
      queryClient.setQueryData(sheetKey(item.kind, next.detail.id), next);
      rememberTrail(item, [next.detail.id]);
      await navigate({
        to: '/grading/$kind/$itemId/submissions/$submissionId',
        params: { ...item, submissionId: next.detail.id },
        search: { question: id } as never,
      });
    } catch (error) {
      setStatusText(explain(error, t).title);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <BusyButton className="button" onPress={() => void open()} isBusy={isBusy}>
        {t('Grade question {label}', { label })}
      </BusyButton>
      <p role="status" className="grade-question-status small">
        {statusText}
      </p>
    </>
  );
}
