import type { ReactNode } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import '../../shared/list/gradeTable.css';
import { SortButton } from '../../shared/list/SortButton.tsx';
import { useSortedRows } from '../../shared/list/useSortedRows.ts';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import type { GridItem, GridStudent } from '../records/teachingTypes.ts';
import { GradeCell } from './GradeCell.tsx';
import { moveInGrid } from './moveInGrid.ts';

interface Props {
  items: GridItem[];
  students: GridStudent[];
  /** Whether these are all students. Sorting a part of them would mislead. */
  isWhole: boolean;
}

/** A row for each student, a column for each item. It scrolls; names and headings stay visible. */
export function GridTable({ items, students, isWhole }: Props) {
  const { t } = useTranslation();
  const { sorted, orderOf, sort } = useSortedRows(students, columnsOf(items));
  const heading = (column: string, name: string) =>
    isWhole ? (
      <SortButton name={name} order={orderOf(column)} onPress={() => sort(column)} />
    ) : (
      <span className="written">{name}</span>
    );
  const sorting = (column: string) => (isWhole ? orderOf(column) : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="grade-scroll card" aria-label={t('Grades')} tabIndex={0}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between its cells */}
      <table role="grid" className="grade-table" aria-label={t('Gradebook')} onKeyDown={moveInGrid}>
        <thead>
          <tr>
            <th scope="col" aria-sort={sorting('student')}>
              {heading('student', t('Student'))}
            </th>
            {items.map((item) => (
              <th key={keyOf(item)} scope="col" aria-sort={sorting(keyOf(item))}>
                <ItemHeading item={item}>{heading(keyOf(item), item.title)}</ItemHeading>
              </th>
            ))}
            <th scope="col" aria-sort={sorting('total')}>
              {heading('total', t('Total'))}
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? sorted : students).map((student) => (
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

/** Students without a grade come first, then the lowest grade. */
const columnsOf = (items: GridItem[]) => [
  { name: 'student', sortBy: ({ name }: GridStudent) => name ?? '' },
  ...items.map((item, index) => ({
    name: keyOf(item),
    sortBy: ({ cells }: GridStudent) => cells[index]?.final_grade ?? -1,
  })),
  { name: 'total', sortBy: ({ percent }: GridStudent) => percent ?? -1 },
];

function ItemHeading({
  item: { kind, released_at, mean },
  children,
}: {
  item: GridItem;
  /** The title. */
  children: ReactNode;
}) {
  const { t, formatNumber } = useTranslation();
  return (
    <span className="stacked">
      <span className="grade-title">{children}</span>
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
