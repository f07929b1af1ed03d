import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PagedList } from '../../shared/list/PagedList.tsx';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { CoursePicker } from '../pickers/CoursePicker.tsx';
import '../../shared/list/gradeTable.css';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { gradebookQuery, saveGradebook } from './gradebookRequests.ts';
import { type GradebookRow, gradeOf, itemsOf } from './gradebookTable.ts';

const route = getRouteApi('/inside/admins/console/gradebook');

export function GradebookPage() {
  const { t } = useTranslation();
  const { course } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader title={t('Gradebook')}>
        {course !== undefined && (
          <div className="header-buttons">
            <DownloadButton text={t('Download as CSV')} onSave={() => saveGradebook(course)} />
          </div>
        )}
      </PageHeader>
      <CoursePicker
        chosen={course}
        onChoose={(id) => void navigate({ search: { course: id }, resetScroll: false })}
      />
      {course === undefined ? (
        <EmptyState title={t('Choose a course')}>
          <p>{t('Choose a course to see the grades of its students.')}</p>
        </EmptyState>
      ) : (
        <Gradebook courseId={course} />
      )}
    </>
  );
}

function Gradebook({ courseId }: { courseId: number }) {
  const { t } = useTranslation();
  const { page = 1 } = route.useSearch();
  const gradebook = useQuery(gradebookQuery(courseId, page));
  return (
    <PagedList
      list={gradebook}
      empty={
        <EmptyState title={t('No students yet')}>
          <p>{t('The gradebook shows one row for each student in the course.')}</p>
        </EmptyState>
      }
    >
      {(rows) => <GradeTable rows={rows} />}
    </PagedList>
  );
}

/** Scrolls horizontally; the names stay visible. */
function GradeTable({ rows }: { rows: GradebookRow[] }) {
  const { t, formatNumber } = useTranslation();
  const items = itemsOf(rows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="grade-scroll card" aria-label={t('Grades')} tabIndex={0}>
      <table className="grade-table" aria-label={t('Gradebook')}>
        <thead>
          <tr>
            <th scope="col">{t('Student')}</th>
            {items.map(({ key, kind, title }) => (
              <th key={key} scope="col">
                <span className="stacked">
                  <span className="written grade-title">{title}</span>
                  <span className="quiet small">{kind === 'quiz' ? t('Quiz') : t('Homework')}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.student_id}>
              <th scope="row">
                <span className="stacked">
                  <span className="written">{row.student_name ?? t('Deleted user')}</span>
                  <span className="quiet small">{row.student_email}</span>
                </span>
              </th>
              {items.map((item) => {
                const grade = gradeOf(row, item);
                return (
                  <td key={item.key} className="figures">
                    {grade ? (
                      <Fraction part={formatNumber(grade.grade)} of={formatNumber(grade.total_grade)} />
                    ) : (
                      <span className="quiet">–</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {items.length === 0 && <p className="quiet grade-none">{t('Nothing graded yet')}</p>}
    </section>
  );
}
