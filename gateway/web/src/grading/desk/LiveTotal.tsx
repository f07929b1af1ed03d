import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { readNumber } from '../../shared/ui/readNumber.ts';
import type { Detail } from '../queue/gradingTypes.ts';
import { type Draft, gradeOf } from './draft.ts';

interface Props {
  kind: Kind;
  detail: Detail;
  draft: Draft;
}

/** The grade that the form results in, beside the student's name. */
export function LiveTotal({ kind, detail, draft }: Props) {
  const { t, formatNumber } = useTranslation();
  const grade = gradeOf(draft, detail, kind);
  const total =
    kind === 'homeworks'
      ? 10
      : draft.by === 'rubric' && detail.rubric
        ? detail.rubric.max_points
        : readNumber(draft.total);
  return (
    <p className="live-total figures">
      <span className="unseen">{t('Total:')} </span>
      <Fraction
        part={grade === undefined ? '–' : formatNumber(grade)}
        of={total === undefined ? '–' : formatNumber(total)}
      />
    </p>
  );
}
