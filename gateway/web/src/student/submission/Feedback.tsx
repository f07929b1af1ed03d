import { useTranslation } from '../../shared/language/useTranslation.ts';
import { LateNote } from '../records/LateNote.tsx';
import { OwnReviews } from '../reviews/OwnReviews.tsx';
import type { Reviews } from '../reviews/useReviews.ts';
import { OwnAnswers } from './OwnAnswers.tsx';
import { SelectedItems } from './SelectedItems.tsx';
import type { OwnSubmission } from './useOwnSubmission.ts';

interface Props {
  submission: OwnSubmission;
  reviews: Reviews;
}

/** The grade and the reasons for it. */
export function Feedback({ submission, reviews }: Props) {
  const { t, formatNumber, formatTime } = useTranslation();
  const { grading, late, files } = submission;
  if (!grading)
    return (
      <section className="card feedback" aria-label={t('Grade')}>
        <h2>{t('Not graded yet')}</h2>
        <p className="quiet">{t('The grade, the rubric and the comment appear here.')}</p>
        <LateNote late={late} grade={null} />
        <OwnReviews reviews={reviews} questionId={null} />
      </section>
    );
  const { grade, finalGrade, totalGrade, gradedAt, comment, rubric, answers } = grading;
  const isByQuestion = answers.some(({ points }) => points !== null);
  return (
    <section className="card feedback" aria-label={t('Grade')}>
      <div>
        <p className="own-grade figures">
          {t('{graded} of {total}', { graded: formatNumber(finalGrade), total: formatNumber(totalGrade) })}
        </p>
        <LateNote late={late} grade={grade} />
        <p className="quiet small">{t('Graded {time}', { time: formatTime(gradedAt) })}</p>
      </div>
      {comment !== null && (
        <div>
          <h2>{t('Comment')}</h2>
          <p className="written" dir="auto">
            {comment}
          </p>
        </div>
      )}
      {rubric !== null && rubric.length > 0 && (
        <div>
          <h2>{t('Rubric')}</h2>
          <SelectedItems items={rubric} />
        </div>
      )}
      {isByQuestion && <OwnAnswers answers={answers} files={files} reviews={reviews} />}
      {/* If the grade is the sum of the questions, each review is about one question. */}
      <OwnReviews reviews={reviews} questionId={null} isOnlyList={isByQuestion} />
    </section>
  );
}
