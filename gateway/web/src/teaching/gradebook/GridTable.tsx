import { useTranslation } from '../../shared/language/useTranslation.ts';
import '../../shared/list/gradeTable.css';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import type { GridItem, GridStudent } from '../records/teachingTypes.ts';
import { GradeCell } from './GradeCell.tsx';
import { moveInGrid } from './moveInGrid.ts';

interface Props {
  items: GridItem[];
  students: GridStudent[];
}

/** A row for each student, a column for each item. It scrolls; names and headings stay visible. */
export function GridTable({ items, students }: Props) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="grade-scroll card" aria-label={t('Grades')} tabIndex={0}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between its cells */}
      <table role="grid" className="grade-table" aria-label={t('Gradebook')} onKeyDown={moveInGrid}>
        <thead>
          <tr>
            <th scope="col">{t('Student')}</th>
            {items.map((item) => (
              <th key={keyOf(item)} scope="col">
                <ItemHeading item={item} />
              </th>
            ))}
            <th scope="col">{t('Total')}</th>
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <tr key={student.student_id}>
              <th scope="row">
                <span className="stacked">
                  <span className="written">{student.name ?? t('Deleted user')}</span>
                  <span className="quiet small">{student.email}</span>
                </span>
              </th>
              {student.cells.map((cell, index) => {
                const item = items[index];
                if (!item) return null;
                return (
                  <td key={keyOf(item)} className="figures">
                    <GradeCell cell={cell} item={item} name={student.name ?? t('Deleted user')} />
                  </td>
                );
              })}
              <td className="figures">
                <Total student={student} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {items.length === 0 && <p className="quiet grade-none">{t('Nothing published yet')}</p>}
    </section>
  );
}

const keyOf = ({ kind, item_id }: GridItem) => `${kind}-${item_id}`;

function ItemHeading({ item: { kind, title, released_at, mean } }: { item: GridItem }) {
  const { t, formatNumber } = useTranslation();
  return (
    <span className="stacked">
      <span className="written grade-title">{title}</span>
      <span className="quiet small">{kind === 'quiz' ? t('Quiz') : t('Homework')}</span>
      {mean !== null && (
        <span className="quiet small">
          {t('Mean {mean}', { mean: formatNumber(mean, { maximumFractionDigits: 2 }) })}
        </span>
      )}
      {released_at === null && <span className="badge warning">{t('Held back')}</span>}
    </span>
  );
}

function Total({ student: { points, possible, percent } }: { student: GridStudent }) {
  const { formatNumber } = useTranslation();
  if (percent === null) return <span className="quiet">–</span>;
  return (
    <span className="stacked">
      <Fraction part={formatNumber(points)} of={formatNumber(possible)} />
      <span className="quiet small">
        {formatNumber(percent / 100, { style: 'percent', maximumFractionDigits: 2 })}
      </span>
    </span>
  );
}
