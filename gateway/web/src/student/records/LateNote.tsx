import { useTranslation } from '../../shared/language/useTranslation.ts';
import { lateText } from '../../shared/time/lateText.ts';
import type { Lateness } from './studentTypes.ts';

interface Props {
  late: Lateness | null;
  /** The grade before the penalty; null until the work is graded. */
  grade: number | null;
}

/** How late the student's work is, and the deduction from its grade. Renders nothing for work on time. */
export function LateNote({ late, grade }: Props) {
  const { t, formatNumber } = useTranslation();
  if (late === null) return null;
  const text = lateText(late, t);
  return (
    <span className="late-note small">
      {late.points === null || grade === null
        ? text
        : t('{late}: {points} of {grade} points were taken', {
            late: text,
            points: formatNumber(late.points),
            grade: formatNumber(grade),
          })}
    </span>
  );
}
