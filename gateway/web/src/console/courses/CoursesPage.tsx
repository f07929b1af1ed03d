import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { allCoursesQuery } from '../pickers/courseQueries.ts';
import { CourseDialog } from './CourseDialog.tsx';
import { coursesKey, coursesQuery, foundCoursesQuery, type ListedCourse } from './courseLists.ts';
import { createCourse } from './courseRequests.ts';

const route = getRouteApi('/inside/admins/console/courses');

export function CoursesPage() {
  const { t } = useTranslation();
  const { search = '', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const all = useQuery({ ...coursesQuery(page), enabled: search === '' });
  const found = useQuery({ ...foundCoursesQuery(search, page), enabled: search !== '' });
  const [isCreating, setCreating] = useState(false);

  const create = async (fields: Parameters<typeof createCourse>[0]) => {
    const courseId = await createCourse(fields);
    void queryClient.invalidateQueries({ queryKey: coursesKey });
    void queryClient.invalidateQueries(allCoursesQuery);
    await navigate({ to: '/console/courses/$courseId', params: { courseId } });
  };
  const find = (text: string) =>
    void navigate({ search: text === '' ? {} : { search: text }, replace: true, resetScroll: false });

  return (
    <>
      <PageHeader title={t('Courses')}>
        <Button className="button primary" onPress={() => setCreating(true)}>
          {t('New course')}
        </Button>
      </PageHeader>
      <div className="list-filters">
        <SearchField text={search} placeholder={t('Part of the title')} onFind={find} />
      </div>
      <PagedTable<ListedCourse>
        list={search === '' ? all : found}
        empty={
          search === '' ? (
            <EmptyState title={t('There are no courses yet')}>
              <p>{t('Create one, or import a school.')}</p>
            </EmptyState>
          ) : (
            <EmptyState title={t('No course title contains this text.')} />
          )
        }
        label={t('Courses')}
        columns={[
          {
            name: t('Title'),
            cell: ({ id, title }) => (
              <Link to="/console/courses/$courseId" params={{ courseId: id }} className="written">
                {title}
              </Link>
            ),
          },
          { name: t('Number'), cell: ({ id }) => id, isNumber: true },
          ...(search === ''
            ? [
                {
                  name: t('Created'),
                  cell: ({ created_at }: ListedCourse) => created_at && <Time at={created_at} />,
                },
              ]
            : []),
        ]}
      />
      {isCreating && <CourseDialog onSave={create} onClose={() => setCreating(false)} />}
    </>
  );
}
