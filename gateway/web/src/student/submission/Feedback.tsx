import { useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import type { OwnSubmission } from './useSubmission.ts';

/** The grade, and the reasons for it. */
export function Feedback({ grading }: Pick<OwnSubmission, 'grading'>) {
  const { t, formatNumber, formatTime } = useWords();
  if (!grading)
    return (
      <section className="card feedback" aria-label={t('Grade')}>
        <h2>{t('Not graded yet')}</h2>
        <p className="quiet">{t('The grade, the rubric and the comment appear here.')}</p>
      </section>
    );
  const { grade, totalGrade, gradedAt, comment, rubric } = grading;
  return (
    <section className="card feedback" aria-label={t('Grade')}>
      <div>
        <p className="own-grade figures">
          {t('{graded} of {total}', { graded: formatNumber(grade), total: formatNumber(totalGrade) })}
        </p>
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
          <ul className="own-rubric">
            {rubric.map(({ text, points, selected }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two items may have the same text, and no item has state
              <li key={`${index} ${text}`} data-selected={selected || undefined}>
                {selected ? <Icon name="check" /> : <span />}
                <span>
                  <span className="unseen">{selected ? t('Applies:') : t('Does not apply:')} </span>
                  <span className="written" dir="auto">
                    {text}
                  </span>
                </span>
                <span className="figures small">
                  {t('{points, plural, one {# point} other {# points}}', { points })}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
