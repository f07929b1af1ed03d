import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { courseQuery, studentsQuery } from '../records/teachingQueries.ts';

const route = getRouteApi('/inside/teachers/courses/$courseId/students');

/** Lists the students of a course. */
export function StudentsPage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const { page = 1, search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const students = useQuery(studentsQuery(courseId, search, page));
  const paid = useQuery(courseQuery(courseId)).data?.students ?? 0;
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
            { count: paid },
          )}
        </p>
      }
      action={undefined}
    >
      <div className="list-filters">
        <SearchField text={search} placeholder={t('Name or email')} onFind={find} />
      </div>
      <PagedTable
        list={students}
        empty={<EmptyState title={search === '' ? t('No students yet') : t('No one found')} />}
        label={t('Students')}
        columns={[
          { name: t('Name'), cell: ({ name }) => <span className="written">{name || t('Unnamed')}</span> },
          { name: t('Email'), cell: ({ email }) => <span className="written">{email || '–'}</span> },
        ]}
      />
    </Section>
  );
}
