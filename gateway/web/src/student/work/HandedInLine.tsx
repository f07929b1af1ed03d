import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Work } from './workGroups.ts';

// Few students are late, and the page's JavaScript budget is small.
const LateNote = lazy(async () => ({ default: (await import('../records/LateNote.tsx')).LateNote }));

interface Props {
  kind: Work['kind'];
  title: string;
  handedIn: NonNullable<Work['handedIn']>;
  /** Further links. */
  children: ReactNode;
}

/** Shows when work was handed in, its grade, and a link to the submission. */
export function HandedInLine({ kind, title, handedIn, children }: Props) {
  const { t, formatNumber, formatTime } = useTranslation();
  const { id, submittedAt, grade, finalGrade, late, totalGrade } = handedIn;
  return (
    <div className="handed-in">
      <span>{t('Handed in {time}', { time: formatTime(submittedAt) })}</span>
      {grade === null ? (
        <span className="quiet">{t('Not graded yet')}</span>
      ) : (
        <strong className="figures">
          {t('{graded} of {total}', {
            graded: formatNumber(finalGrade ?? grade),
            total: formatNumber(totalGrade ?? 0),
          })}
        </strong>
      )}
      {late && (
        <Suspense fallback={null}>
          <LateNote late={late} grade={grade} />
        </Suspense>
      )}
      <div className="handed-in-links">
        {children}
        <Link
          to="/my/submissions/$kind/$id"
          params={{ kind, id }}
          className="button"
          aria-label={t('My submission: {title}', { title })}
        >
          {t('My submission')}
        </Link>
      </div>
    </div>
  );
}
