import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { RelativeTime } from '../../shared/time/RelativeTime.tsx';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import type { ItemId, Review } from '../queue/gradingTypes.ts';
import { keepAnswer, readAnswer } from './reviewDrafts.ts';
import { closeReview, openReviewsQuery, refreshReviews } from './reviewQueries.ts';
import './reviews.css';

const maxLength = 2000;

/** A student's request for a review, and the grader's answer. The grade itself is changed in the form of the desk. */
export function ReviewForm({ item, review }: { item: ItemId; review: Review }) {
  const { t, formatNumber } = useTranslation();
  const queryClient = useQueryClient();
  const id = useId();
  const [answer, setAnswer] = useState(() => readAnswer(review.id));
  const [missing, setMissing] = useState(false);
  const { isBusy, error, errorOf, submit } = useFormRequest(['answer']);
  const fieldError = missing ? t('Enter an answer.') : errorOf('answer');

  const change = (text: string) => {
    setMissing(false);
    setAnswer(text);
    keepAnswer(review.id, text);
  };
  const close = async (event: FormEvent) => {
    event.preventDefault();
    if (answer.trim() === '') return setMissing(true);
    await submit(async () => {
      try {
        await closeReview(item.kind, review, answer);
      } catch (failure) {
        // Another grader was faster: the list shows it.
        const isChanged = failure instanceof ApiError && (failure.status === 412 || failure.status === 409);
        if (isChanged) void refreshReviews(queryClient, item);
        throw failure;
      }
      keepAnswer(review.id, '');
      queryClient.setQueryData(openReviewsQuery(item).queryKey, (open) =>
        open?.filter((each) => each.id !== review.id),
      );
      void refreshReviews(queryClient, item);
    });
  };

  return (
    <form className="review" aria-label={t('Review')} noValidate onSubmit={(event) => void close(event)}>
      <p className="quiet small">
        {t('The student asks for a review')} · <RelativeTime at={review.created_at} />
      </p>
      <p className="written review-text" dir="auto">
        {review.text}
      </p>
      <div className="field">
        <label htmlFor={id}>{t('Answer')}</label>
        <textarea
          id={id}
          className="input"
          rows={2}
          dir="auto"
          maxLength={maxLength}
          value={answer}
          aria-invalid={fieldError !== undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => change(event.target.value)}
        />
        <p id={`${id}-note`} className={fieldError === undefined ? 'quiet small' : 'field-error'}>
          {fieldError ??
            (answer.length > maxLength * 0.8
              ? t('{count} of 2,000 characters', { count: formatNumber(answer.length) })
              : '')}
        </p>
      </div>
      <ErrorNotice text={error} />
      <BusyButton type="submit" className="button" isBusy={isBusy}>
        {t('Answer and close')}
      </BusyButton>
    </form>
  );
}
