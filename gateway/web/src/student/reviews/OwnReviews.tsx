import { lazy, Suspense, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Review } from '../records/studentTypes.ts';
import './reviews.css';
import type { Reviews } from './useReviews.ts';

const ReviewDialog = lazy(async () => ({ default: (await import('./ReviewDialog.tsx')).ReviewDialog }));

interface Props {
  reviews: Reviews;
  /** Null for the whole submission. */
  questionId: number | null;
  /** The label of the question. */
  label?: string;
  /** Whether to list reviews without offering another one. */
  isOnlyList?: boolean;
}

/** The student's reviews of one question or of the whole submission, and a button to ask for one. */
export function OwnReviews({ reviews, questionId, label, isOnlyList = false }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const own = reviews.all.filter(({ question_id }) => question_id === questionId);
  const isOffered = !isOnlyList && reviews.canAsk(questionId);
  if (own.length === 0 && !isOffered && !isAsking) return null;
  const name =
    label === undefined ? t('Ask for a review') : t('Ask for a review of question {label}', { label });
  return (
    <div className="own-reviews">
      {own.length > 0 && (
        <ul aria-label={t('Reviews')}>
          {own.map((review) => (
            <OwnReview key={review.id} review={review} />
          ))}
        </ul>
      )}
      {isOffered && (
        <div>
          <Button className="button" aria-label={name} onPress={() => setAsking(true)}>
            {t('Ask for a review')}
          </Button>
        </div>
      )}
      {isAsking && (
        <Suspense fallback={null}>
          <ReviewDialog
            title={name}
            onAsk={(text) => reviews.ask(questionId, text)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function OwnReview({ review }: { review: Review }) {
  const { t, formatNumber, formatTime } = useTranslation();
  const { text, state, answer, created_at, closed_at, grade_before: before, grade_after: after } = review;
  return (
    <li className="own-review">
      <p className="quiet small">{t('Review asked for {time}', { time: formatTime(created_at) })}</p>
      <p className="written" dir="auto">
        {text}
      </p>
      {state === 'open' || closed_at === null ? (
        <p className="small">{t('Not answered yet')}</p>
      ) : (
        <p className="quiet small">
          {t('Answered {time}', { time: formatTime(closed_at) })}
          {before !== null &&
            after !== null &&
            before !== after &&
            `. ${t('{before} points became {after}.', {
              before: formatNumber(before),
              after: formatNumber(after),
            })}`}
        </p>
      )}
      {answer !== null && (
        <p className="written" dir="auto">
          {answer}
        </p>
      )}
    </li>
  );
}
