import { useTranslation } from '../../shared/language/useTranslation.ts';
import { LateNote } from '../records/LateNote.tsx';
import type { OwnSubmission } from './useOwnSubmission.ts';

/** The grade and the reasons for it. */
export function Feedback({ grading, late }: Pick<OwnSubmission, 'grading' | 'late'>) {
  const { t, formatNumber, formatTime } = useTranslation();
  if (!grading)
    return (
      <section className="card feedback" aria-label={t('Grade')}>
        <h2>{t('Not graded yet')}</h2>
        <p className="quiet">{t('The grade, the rubric and the comment appear here.')}</p>
        <LateNote late={late} grade={null} />
      </section>
    );
  const { grade, finalGrade, totalGrade, gradedAt, comment, rubric } = grading;
  const applied = rubric ?? [];
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
      {applied.length > 0 && (
        <div>
          <h2>{t('Rubric')}</h2>
          <ul className="own-rubric">
            {applied.map(({ text, points }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items may share a text, and they are stateless
              <li key={`${index} ${text}`}>
                <span className="written" dir="auto">
                  {text}
                </span>
                <span className="figures small" dir="ltr">
                  {points < 0 ? '−' : '+'}
                  {formatNumber(Math.abs(points))}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
