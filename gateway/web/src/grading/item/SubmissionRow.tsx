import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { lateText } from '../../shared/time/lateText.ts';
import { RelativeTime } from '../../shared/time/RelativeTime.tsx';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import { flagText } from '../queue/flagText.ts';
import type { ItemId, Row } from '../queue/gradingTypes.ts';
import { rememberTrail } from '../queue/trailStore.ts';

interface Props {
  item: ItemId;
  /** Undefined while its page is loading. */
  row: Row | undefined;
  index: number;
  top: number;
  /** The submissions around this one, for the next and previous keys. */
  neighbours(): number[];
}

export const SubmissionRow = memo(function SubmissionRow({ item, row, index, top, neighbours }: Props) {
  const { t, formatNumber } = useTranslation();
  const place = { transform: `translateY(${top}px)` };
  if (!row)
    return (
      <div role="row" aria-rowindex={index + 2} className="submission-row is-loading" style={place}>
        <div role="cell">…</div>
      </div>
    );
  const { id, student, submitted_at, status, total_grade, graded_by, claimed_by, flags, late } = row;
  const grade = row.final_grade ?? row.grade;
  return (
    <div role="row" aria-rowindex={index + 2} className="submission-row" style={place}>
      <div role="cell" className="cell-student">
        <Link
          to="/grading/$kind/$itemId/submissions/$submissionId"
          params={{ ...item, submissionId: id }}
          onClick={() => rememberTrail(item, neighbours())}
          className="written-line row-link"
          dir="auto"
        >
          {student.name}
        </Link>
        <span className="written-line quiet small" dir="auto">
          {student.email}
        </span>
      </div>
      <div role="cell" className="cell-sent figures">
        <RelativeTime at={submitted_at} />
        {late && <span className="late small">{lateText(late, t)}</span>}
      </div>
      <div role="cell" className="cell-status">
        <span className={`badge status-${status === 'graded' || !claimed_by ? status : 'claimed'}`}>
          {status === 'graded' ? t('Graded') : claimed_by ? t('Being graded') : t('Ungraded')}
        </span>
      </div>
      <div role="cell" className="cell-grade figures">
        {grade === null ? '–' : <Fraction part={formatNumber(grade)} of={formatNumber(total_grade ?? 0)} />}
      </div>
      <div role="cell" className="cell-grader written-line" dir="auto">
        {graded_by?.name ?? claimed_by?.name ?? '–'}
      </div>
      <div role="cell" className="cell-flags">
        {flags.length === 0 ? (
          <span className="quiet">–</span>
        ) : (
          <span className="flagged" title={flags.map(({ code }) => t(flagText[code])).join(', ')}>
            <ToolIcon name="flag" />
            <span className="unseen">{flags.map(({ code }) => t(flagText[code])).join(', ')}</span>
          </span>
        )}
      </div>
    </div>
  );
});
