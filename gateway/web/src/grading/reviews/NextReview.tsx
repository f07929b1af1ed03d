import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { explain } from '../../shared/ui/states.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import { claimNextReview } from './reviewQueries.ts';

/** Claims the next open review and opens the work that it is about. */
export function NextReview({ item: { kind, itemId } }: { item: ItemId }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [statusText, setStatusText] = useState('');

  async function open(): Promise<void> {
    setBusy(true);
    setStatusText('');
    try {
      const review = await claimNextReview({ kind, itemId });
      if (!review) return setStatusText(t('No open reviews, or other graders are answering the rest.'));
      await navigate({
        to: '/grading/$kind/$itemId/submissions/$submissionId',
        params: { kind, itemId, submissionId: review.submission_id },
        search: review.question_id === null ? {} : { question: review.question_id },
      });
    } catch (error) {
      setStatusText(explain(error, t).title);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="next-review">
      <p role="status" className="small">
        {statusText}
      </p>
      <BusyButton className="button primary" isBusy={isBusy} onPress={() => void open()}>
        {t('Next review')}
      </BusyButton>
    </div>
  );
}
