import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { allCoursesQuery } from '../pickers/courseQueries.ts';
import { courseKey, studentsQuery } from './courseLists.ts';
import type { CoursePerson } from './courseTypes.ts';
import { PeopleTable } from './PeopleTable.tsx';
import { AddStudentDialog, EndEnrollmentDialog, PaymentDialog } from './StudentDialogs.tsx';

const route = getRouteApi('/inside/admins/console/courses/$courseId');

export function StudentsTab({ courseId }: { courseId: number }) {
  const { t } = useTranslation();
  const { page = 1, search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const students = useQuery(studentsQuery(courseId, search, page));
  const paid = useQuery(allCoursesQuery).data?.find(({ id }) => id === courseId)?.students;
  const [open, setOpen] = useState<{ kind: 'add' } | { kind: 'payment' | 'end'; student: CoursePerson }>();
  const close = () => setOpen(undefined);
  const refresh = async () => {
    void queryClient.invalidateQueries(allCoursesQuery);
    await queryClient.invalidateQueries({ queryKey: [...courseKey(courseId), 'students'] });
  };
  const find = (text: string) =>
    void navigate({
      search: { tab: 'students', ...(text === '' ? {} : { search: text }) },
      replace: true,
      resetScroll: false,
    });

  return (
    <Section
      id="students"
      title={t('Students')}
      about={
        paid !== undefined && (
          <p className="quiet small">
            {t(
              '{count, plural, =0 {No student has paid} one {# student has paid} other {# students have paid}}',
              {
                count: paid,
              },
            )}
          </p>
        )
      }
      action={
        <Button className="button" onPress={() => setOpen({ kind: 'add' })}>
          {t('Add a student')}
        </Button>
      }
    >
      <div className="list-filters">
        <SearchField text={search} placeholder={t('Name or email')} onFind={find} />
      </div>
      <PeopleTable
        label={t('Students')}
        people={students}
        empty={<EmptyState title={search === '' ? t('No students yet') : t('No one found')} />}
        actions={(student) => (
          <>
            <RowButton
              text={t('Payment')}
              label={t('Payment of {name}', { name: student.name })}
              onPress={() => setOpen({ kind: 'payment', student })}
            />
            <RowButton
              text={t('Remove')}
              label={t('Remove {name}', { name: student.name })}
              onPress={() => setOpen({ kind: 'end', student })}
            />
          </>
        )}
      />
      {open?.kind === 'add' && <AddStudentDialog courseId={courseId} onChanged={refresh} onClose={close} />}
      {open?.kind === 'payment' && (
        <PaymentDialog courseId={courseId} student={open.student} onChanged={refresh} onClose={close} />
      )}
      {open?.kind === 'end' && (
        <EndEnrollmentDialog courseId={courseId} student={open.student} onChanged={refresh} onClose={close} />
      )}
    </Section>
  );
}
