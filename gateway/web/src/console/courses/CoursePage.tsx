import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { allCoursesQuery } from '../pickers/courseQueries.ts';
import type { CourseTab } from '../searchParams.ts';
import { ClassesTab } from './ClassesTab.tsx';
import { CourseDialog } from './CourseDialog.tsx';
import '../../shared/ui/tabs.css';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { courseKey, courseQuery, coursesKey } from './courseLists.ts';
import { changeCourse, deleteCourse } from './courseRequests.ts';
import { InstructorsTab } from './InstructorsTab.tsx';
import { QuizzesTab } from './QuizzesTab.tsx';
import { StudentsTab } from './StudentsTab.tsx';

const route = getRouteApi('/inside/admins/console/courses/$courseId');

const tabs = {
  quizzes: ['Quizzes', QuizzesTab],
  classes: ['Classes and homework', ClassesTab],
  students: ['Students', StudentsTab],
  instructors: ['Instructors', InstructorsTab],
} as const;

export function CoursePage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const { tab = 'quizzes' } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const course = useQuery(courseQuery(courseId));
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);

  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: coursesKey });
    void queryClient.invalidateQueries(allCoursesQuery);
  };
  const change = async (fields: Parameters<typeof changeCourse>[1]) => {
    await changeCourse(courseId, fields);
    refresh();
    await queryClient.invalidateQueries({ queryKey: courseKey(courseId), exact: true });
  };
  const remove = async () => {
    await deleteCourse(courseId);
    refresh();
    await navigate({ to: '/console/courses' });
  };
  const choose = (key: Key) =>
    void navigate({
      search: key === 'quizzes' ? {} : { tab: key as CourseTab },
      replace: true,
      resetScroll: false,
    });

  if (course.error && !course.data)
    return <ErrorState isPage error={course.error} onRetry={() => void course.refetch()} />;
  if (!course.data) return <Loading />;
  const { title, description } = course.data;
  return (
    <>
      <div className="page-header">
        <div>
          <Breadcrumb to="/console/courses">{t('Courses')}</Breadcrumb>
          <h1 className="written">{title}</h1>
        </div>
        <div className="header-buttons">
          <Link to="/console/gradebook" search={{ course: courseId }} className="button">
            {t('Gradebook')}
          </Link>
          <Button className="button" onPress={() => setOpen('edit')}>
            {t('Edit')}
          </Button>
          <Button className="button danger" onPress={() => setOpen('delete')}>
            {t('Delete')}
          </Button>
        </div>
      </div>
      {description !== null && (
        <p className="prose">
          <span className="written">{description}</span>
        </p>
      )}
      <Tabs selectedKey={tab} onSelectionChange={choose} className="page-tabs">
        <TabList aria-label={t('Parts of the course')} className="page-tab-list">
          {Object.entries(tabs).map(([id, [english]]) => (
            <Tab key={id} id={id} className="page-tab">
              {t(english)}
            </Tab>
          ))}
        </TabList>
        {Object.entries(tabs).map(([id, [, Part]]) => (
          <TabPanel key={id} id={id}>
            <Part courseId={courseId} />
          </TabPanel>
        ))}
      </Tabs>
      {open === 'edit' && <CourseDialog course={course.data} onSave={change} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('Delete {title}?', { title })}
          action={t('Delete the course')}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            {t(
              'Students and instructors lose access, and the gradebook can no longer be opened. Submissions are kept. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
