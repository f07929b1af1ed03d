import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { courseQuery, studentsQuery } from '../records/teachingQueries.ts';
import type { CourseStudent } from '../records/teachingTypes.ts';
import { AccommodationDialog } from './AccommodationDialog.tsx';
import { RosterDialog } from './RosterDialog.tsx';

const route = getRouteApi('/inside/teachers/courses/$courseId/students');

/** Lists the students of a course. */
export function StudentsPage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const { page = 1, search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const students = useQuery(studentsQuery(courseId, search, page));
  const course = useQuery(courseQuery(courseId)).data;
  const [open, setOpen] = useState<CourseStudent>();
  const [isEnrolling, setEnrolling] = useState(false);
  const find = (text: string) =>
    void navigate({ search: text === '' ? {} : { search: text }, replace: true, resetScroll: false });
  return (
    <Section
      id="students"
      title={t('Students')}
      about={
        <p className="quiet small">
          {t(
            '{count, plural, =0 {No student has paid} one {# student has paid} other {# students have paid}}',
            { count: course?.students ?? 0 },
          )}
        </p>
      }
      action={
        course?.role === 'teacher' && (
          <Button className="button" aria-haspopup="dialog" onPress={() => setEnrolling(true)}>
            {t('Enroll from a file')}
          </Button>
        )
      }
    >
      <div className="list-filters">
        <SearchField text={search} placeholder={t('Name or email')} onFind={find} />
      </div>
      <PagedTable
        list={students}
        empty={<EmptyState title={search === '' ? t('No students yet') : t('No one found')} />}
        label={t('Students')}
        columns={[
          {
            name: t('Name'),
            sortBy: ({ name }) => name,
            cell: ({ name }) => <span className="written">{name || t('Unnamed')}</span>,
          },
          {
            name: t('Email'),
            sortBy: ({ email }) => email,
            cell: ({ email }) => <span className="written">{email || '–'}</span>,
          },
        ]}
        actions={
          course?.role === 'teacher'
            ? (student) => (
                <RowButton
                  text={t('Accommodation')}
                  label={t('Accommodation of {name}', { name: student.name })}
                  onPress={() => setOpen(student)}
                />
              )
            : undefined
        }
      />
      {isEnrolling && <RosterDialog courseId={courseId} onClose={() => setEnrolling(false)} />}
      {open && <AccommodationDialog courseId={courseId} student={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}
