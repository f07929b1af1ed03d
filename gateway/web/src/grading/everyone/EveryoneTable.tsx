import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { type Column, DataTable } from '../../shared/list/DataTable.tsx';
import type { Selection } from '../../shared/list/RowSelection.tsx';
import { lateText } from '../../shared/time/lateText.ts';
import { RelativeTime } from '../../shared/time/RelativeTime.tsx';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import type { EveryoneRow, ItemId } from '../queue/gradingTypes.ts';
import { Extension } from './Extension.tsx';
import { stateNames } from './stateNames.ts';

type Selected = Selection<EveryoneRow>['selected'];

interface Props {
  item: ItemId;
  rows: EveryoneRow[];
  selected: Selected;
  onSelect(selected: Selected): void;
  onHandIn(row: EveryoneRow): void;
  /** Graders can only read the table. */
  isTeacher: boolean;
}

/** One page of the students. */
export function EveryoneTable({ item, rows, selected, onSelect, onHandIn, isTeacher }: Props) {
  const { t } = useTranslation();
  const columns: Column<EveryoneRow>[] = [
    { name: t('Student'), cell: (row) => <StudentName item={item} row={row} /> },
    {
      name: t('State'),
      cell: ({ state }) => <span className={`badge student-${state}`}>{t(stateNames[state])}</span>,
    },
    {
      name: t('Handed in'),
      cell: ({ submitted_at }) => (submitted_at === null ? <None /> : <RelativeTime at={submitted_at} />),
    },
    { name: t('Late'), cell: ({ late }) => (late === null ? <None /> : lateText(late, t)) },
    { name: t('Grade'), isNumber: true, cell: (row) => <Grade row={row} /> },
    {
      name: t('Extension'),
      cell: ({ allowance }) => (allowance === null ? <None /> : <Extension allowance={allowance} />),
    },
  ];
  return (
    <DataTable
      label={t('Everyone')}
      rows={rows}
      keyOf={({ student }) => student.id}
      columns={columns}
      selection={isTeacher ? { selected, onSelect, nameOf: ({ student }) => student.name } : undefined}
      actions={isTeacher ? (row) => <HandIn row={row} onHandIn={onHandIn} /> : undefined}
    />
  );
}

const None = () => <span className="quiet no-value">–</span>;

const nameId = ({ student }: EveryoneRow) => `student-${student.id}`;

function StudentName({ item, row }: { item: ItemId; row: EveryoneRow }) {
  const { student, submission_id: submissionId } = row;
  return (
    <span id={nameId(row)} className="written">
      {submissionId === null ? (
        student.name
      ) : (
        <Link to="/grading/$kind/$itemId/submissions/$submissionId" params={{ ...item, submissionId }}>
          {student.name}
        </Link>
      )}
    </span>
  );
}

function Grade({ row: { grade, final_grade } }: { row: EveryoneRow }) {
  const { formatNumber } = useTranslation();
  if (grade === null) return <None />;
  if (final_grade === null || final_grade === grade) return formatNumber(grade);
  return <Fraction part={formatNumber(final_grade)} of={formatNumber(grade)} />;
}

function HandIn({ row, onHandIn }: { row: EveryoneRow; onHandIn(row: EveryoneRow): void }) {
  const { t } = useTranslation();
  if (row.state === 'graded') return null;
  return (
    <Button
      className="button plain row-button"
      aria-label={t('Hand in for this student')}
      aria-describedby={nameId(row)}
      onPress={() => onHandIn(row)}
    >
      {t('Hand in')}
    </Button>
  );
}
