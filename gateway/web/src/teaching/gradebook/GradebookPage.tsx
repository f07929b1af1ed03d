import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedList } from '../../shared/list/PagedList.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { gridQuery, saveGrid } from '../records/teachingQueries.ts';
import { GridTable } from './GridTable.tsx';

const route = getRouteApi('/inside/teachers/courses/$courseId/gradebook');

/** Shows a course's students and items as a grid. */
export function GradebookPage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const grid = useQuery(gridQuery(courseId, page));
  return (
    <Section
      id="gradebook"
      title={t('Gradebook')}
      action={
        <div className="header-buttons">
          <DownloadButton text={t('Download CSV')} onSave={() => saveGrid(courseId)} />
        </div>
      }
    >
      <PagedList
        list={grid}
        empty={
          <EmptyState title={t('No students yet')}>
            <p>{t('The gradebook shows one row for each student in the course.')}</p>
          </EmptyState>
        }
      >
        {(students) => <GridTable items={grid.data?.items ?? []} students={students} />}
      </PagedList>
    </Section>
  );
}
