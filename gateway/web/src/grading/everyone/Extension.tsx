import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { EveryoneRow } from '../queue/gradingTypes.ts';

/** The allowance of a student. */
export function Extension({ allowance }: { allowance: NonNullable<EveryoneRow['allowance']> }) {
  const { t, formatTime } = useTranslation();
  const { closes_at, extra_minutes, excused, note } = allowance;
  const parts = [
    excused ? t('Excused') : '',
    closes_at === null ? '' : t('Until {time}', { time: formatTime(closes_at) }),
    extra_minutes > 0
      ? t('{count, plural, one {# more minute} other {# more minutes}}', { count: extra_minutes })
      : '',
  ].filter((part) => part !== '');
  return (
    <span className="stacked">
      {parts.map((part) => (
        <span key={part}>{part}</span>
      ))}
      {note !== null && (
        <span className="written quiet" dir="auto">
          {note}
        </span>
      )}
    </span>
  );
}
