import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { readNumber } from '../../shared/ui/readNumber.ts';
import type { Detail } from '../queue/gradingTypes.ts';
import { type Draft, gradeOf, pointsOf } from './draft.ts';
import { livePoints, type QuestionOfDesk } from './questionSheet.ts';

interface Props {
  kind: Kind;
  detail: Detail;
  draft: Draft;
  of: QuestionOfDesk | undefined;
}

/** The grade that results from the form, beside the student's name: with questions, the sum of their points. */
export function LiveTotal({ kind, detail, draft, of }: Props) {
  const { t, formatNumber } = useTranslation();
  const grade = of
    ? livePoints(detail.answers, of.question.id, pointsOf(draft, detail))
    : gradeOf(draft, detail, kind);
  const total = of
    ? of.outline.total_points
    : kind === 'homeworks'
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
