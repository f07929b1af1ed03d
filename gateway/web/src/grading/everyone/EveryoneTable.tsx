/* biome-ignore-all lint/a11y/noRedundantRoles: browsers drop a table's roles when CSS changes its display type */
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { lateText } from '../../shared/time/lateText.ts';
import { Time } from '../../shared/time/Time.tsx';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import type { EveryoneRow, ItemId } from '../queue/gradingTypes.ts';
import { Extension } from './Extension.tsx';
import { stateNames } from './stateNames.ts';

type Selected = ReadonlyMap<number, EveryoneRow>;

interface Props {
  item: ItemId;
  rows: EveryoneRow[];
  selected: Selected;
  onSelect(selected: Selected): void;
  onHandIn(row: EveryoneRow): void;
  /** Graders can only read the table. */
  isTeacher: boolean;
}

/** One page of the students. Rows become cards where the columns do not fit; the roles keep it a table for screen readers. */
export function EveryoneTable({ item, rows, selected, onSelect, onHandIn, isTeacher }: Props) {
  const { t } = useTranslation();
  const isAll = rows.every(({ student }) => selected.has(student.id));
  const choose = (chosen: EveryoneRow[], isChosen: boolean) => {
    const next = new Map(selected);
    for (const row of chosen) {
      if (isChosen) next.set(row.student.id, row);
      else next.delete(row.student.id);
    }
    onSelect(next);
  };
  const columns = ['Student', 'State', 'Handed in', 'Late', 'Grade', 'Extension'];
  return (
    <table role="table" aria-label={t('Everyone')} className="everyone-table card">
      <thead role="rowgroup">
        <tr role="row">
          {isTeacher && (
            <td role="cell" className="cell-select">
              <input
                type="checkbox"
                aria-label={t('Select all on this page')}
                checked={isAll}
                onChange={(event) => choose(rows, event.target.checked)}
              />
            </td>
          )}
          {columns.map((column) => (
            <th key={column} scope="col" role="columnheader">
              {t(column)}
            </th>
          ))}
          {isTeacher && (
            <th scope="col" role="columnheader">
              <span className="unseen">{t('Actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={row.student.id} role="row">
            {isTeacher && (
              <td role="cell" className="cell-select">
                <input
                  type="checkbox"
                  aria-label={t('Select {name}', { name: row.student.name })}
                  checked={selected.has(row.student.id)}
                  onChange={(event) => choose([row], event.target.checked)}
                />
              </td>
            )}
            <Cells item={item} row={row} />
            {isTeacher && (
              <td role="cell" className="cell-actions">
                {row.state !== 'graded' && (
                  <Button
                    className="button row-action"
                    aria-label={t('Hand in for this student')}
                    aria-describedby={`student-${row.student.id}`}
                    onPress={() => onHandIn(row)}
                  >
                    {t('Hand in')}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ item, row }: { item: ItemId; row: EveryoneRow }) {
  const { t, formatNumber } = useTranslation();
  const { student, state, submission_id, submitted_at, late, grade, final_grade, allowance } = row;
  return (
    <>
      <th scope="row" role="rowheader" id={`student-${student.id}`}>
        {submission_id === null ? (
          <span className="written-line" dir="auto">
            {student.name}
          </span>
        ) : (
          <Link
            to="/grading/$kind/$itemId/submissions/$submissionId"
            params={{ ...item, submissionId: submission_id }}
            className="written-line"
            dir="auto"
          >
            {student.name}
          </Link>
        )}
      </th>
      <td role="cell">
        <span className={`badge student-${state}`}>{t(stateNames[state])}</span>
      </td>
      <td role="cell" className="small">
        {submitted_at === null ? <span className="quiet">–</span> : <Time at={submitted_at} />}
      </td>
      <td role="cell" className="small">
        {late === null ? <span className="quiet">–</span> : lateText(late, t)}
      </td>
      <td role="cell" className="figures">
        {grade === null ? (
          <span className="quiet">–</span>
        ) : final_grade !== null && final_grade !== grade ? (
          <Fraction part={formatNumber(final_grade)} of={formatNumber(grade)} />
        ) : (
          formatNumber(grade)
        )}
      </td>
      <td role="cell" className="small">
        <Extension allowance={allowance} />
      </td>
    </>
  );
}
