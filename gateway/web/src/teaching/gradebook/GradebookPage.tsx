import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedList } from '../../shared/list/PagedList.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { gridQuery, saveGrid } from '../records/teachingQueries.ts';
import { GridTable } from './GridTable.tsx';
import './gradebook.css';
import { PrintButton } from './PrintButton.tsx';
import { usePrintout } from './usePrintout.ts';

const route = getRouteApi('/inside/teachers/courses/$courseId/gradebook');

/** Shows a course's students and items as a grid. */
export function GradebookPage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const grid = useQuery(gridQuery(courseId, page));
  const printout = usePrintout(courseId);
  const isPartial = (grid.data?.meta.last_page ?? 1) > 1 && !printout.whole;
  return (
    <Section
      id="gradebook"
      title={t('Gradebook')}
      action={
        <div className="header-buttons">
          {grid.data && grid.data.meta.total > 0 && <PrintButton printout={printout} />}
          <DownloadButton text={t('Download CSV')} onSave={() => saveGrid(courseId)} />
        </div>
      }
    >
      <ErrorNotice text={printout.error} />
      {isPartial && (
        // The browser's own command prints what the page shows.
        <p className="only-on-paper">
          {t('Only a part of the students. The button “Print” of this page prints all.')}
        </p>
      )}
      <PagedList
        list={grid}
        empty={
          <EmptyState title={t('No students yet')}>
            <p>{t('The gradebook shows one row for each student in the course.')}</p>
          </EmptyState>
        }
      >
        {(students) => (
          <GridTable
            items={printout.whole?.items ?? grid.data?.items ?? []}
            students={printout.whole?.students ?? students}
            isWhole={!isPartial}
          />
        )}
      </PagedList>
    </Section>
  );
}
