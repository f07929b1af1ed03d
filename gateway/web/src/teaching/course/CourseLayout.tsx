import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useChildMatches } from '@tanstack/react-router';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import '../../shared/ui/tabs.css';
import { courseQuery } from '../records/teachingQueries.ts';
import { type CourseTab, courseTabs, tabOf } from './courseTabs.ts';

const route = getRouteApi('/inside/teachers/courses/$courseId');

/** The title of a course and its tabs, each of which is a page. */
export function CourseLayout() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const navigate = route.useNavigate();
  // The path of the page, not of the location, which changes before the page does.
  const pathname = useChildMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' });
  const course = useQuery(courseQuery(courseId));
  const tab = tabOf(pathname);
  const choose = (key: Key) => {
    const { to } = courseTabs[key as CourseTab];
    void navigate({ to, params: { courseId }, resetScroll: false });
  };
  return (
    <div className="page course-page">
      <Loaded query={course} isPage>
        {({ title, role }) => (
          <>
            <div className="page-header">
              <div>
                <Breadcrumb to="/courses">{t('Courses')}</Breadcrumb>
                <h1 className="written">{title}</h1>
              </div>
            </div>
            {role !== 'teacher' && courseTabs[tab].forTeachers ? (
              <EmptyState title={t('Only teachers of the course can see its team')}>
                <Link to="/courses/$courseId" params={{ courseId }} className="button">
                  {t('Work')}
                </Link>
              </EmptyState>
            ) : (
              <Tabs selectedKey={tab} onSelectionChange={choose} className="page-tabs">
                <TabList aria-label={t('Parts of the course')} className="page-tab-list">
                  {Object.entries(courseTabs)
                    .filter(([, { forTeachers }]) => role === 'teacher' || !forTeachers)
                    .map(([id, { english }]) => (
                      <Tab key={id} id={id} className="page-tab">
                        {t(english)}
                      </Tab>
                    ))}
                </TabList>
                <TabPanel id={tab}>
                  <Outlet />
                </TabPanel>
              </Tabs>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}
