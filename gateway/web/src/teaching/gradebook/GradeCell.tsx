import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import type { GridCell, GridItem } from '../records/teachingTypes.ts';

interface Props {
  cell: GridCell;
  item: GridItem;
  /** The name of the student. */
  name: string;
}

/** A student's grade for an item, with a link to the desk where there is a submission. */
export function GradeCell({ cell, item, name }: Props) {
  const { t } = useTranslation();
  const { state, late, submission_id: submissionId } = cell;
  const content = <Content cell={cell} item={item} />;
  return (
    <span className="stacked grade-cell">
      {submissionId === null ? (
        content
      ) : (
        <Link
          to="/grading/$kind/$itemId/submissions/$submissionId"
          params={{
            kind: item.kind === 'quiz' ? 'quizzes' : 'homeworks',
            itemId: item.item_id,
            submissionId,
          }}
        >
          <span className="unseen">{t('{name}, {title}:', { name, title: item.title })} </span>
          {content}
        </Link>
      )}
      {state !== 'missing' && late && <span className="quiet small">{t('late')}</span>}
    </span>
  );
}

function Content({ cell: { state, final_grade }, item }: Omit<Props, 'name'>) {
  const { t, formatNumber } = useTranslation();
  if (state === 'excused') return t('Excused');
  if (state === 'missing')
    return (
      <span className="quiet">
        <span aria-hidden="true">–</span>
        <span className="unseen">{t('Missing')}</span>
      </span>
    );
  // An anonymous item shows no grades here before they are released.
  if (state === 'submitted' || final_grade === null) return t('Handed in');
  if (item.total_grade === null) return formatNumber(final_grade, { maximumFractionDigits: 4 });
  return (
    <Fraction
      part={formatNumber(final_grade, { maximumFractionDigits: 4 })}
      of={formatNumber(item.total_grade)}
    />
  );
}
