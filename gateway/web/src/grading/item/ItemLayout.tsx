import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useChildMatches } from '@tanstack/react-router';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { ErrorState } from '../../shared/ui/states.tsx';
import { itemQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery } from '../queue/itemQueries.ts';
import { GradeNext } from './GradeNext.tsx';
import './item.css';
import './itemLayout.css';
import { ItemBreadcrumb } from './ItemBreadcrumb.tsx';
import { ItemStatus } from './ItemStatus.tsx';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId');

const paths = {
  submissions: '/grading/$kind/$itemId',
  everyone: '/grading/$kind/$itemId/everyone',
  questions: '/grading/$kind/$itemId/questions',
  reviews: '/grading/$kind/$itemId/reviews',
  rubric: '/grading/$kind/$itemId/rubric',
  statistics: '/grading/$kind/$itemId/statistics',
  settings: '/grading/$kind/$itemId/settings',
} as const;

type TabId = keyof typeof paths;

const names: Record<TabId, string> = {
  submissions: 'Submissions',
  everyone: 'Everyone',
  questions: 'Questions',
  reviews: 'Reviews',
  rubric: 'Rubric',
  statistics: 'Statistics',
  settings: 'Settings',
};

/** The title and the state of a quiz or an assignment, above the tab that the URL names. */
export function ItemLayout() {
  const { t } = useTranslation();
  const item = route.useParams();
  const navigate = route.useNavigate();
  const tab = useTab();
  const about = useQuery(itemQuery(item));
  const title = about.data?.title ?? t(item.kind === 'quizzes' ? 'Quiz' : 'Homework');
  const hasReviews = useHasReviews(item) || tab === 'reviews';
  const open = (key: Key) => void navigate({ to: paths[key as TabId], params: item });

  if (about.error && !about.data)
    return (
      <div className="page">
        <ErrorState error={about.error} onRetry={() => void about.refetch()} isPage />
      </div>
    );
  return (
    <div className="page item-page">
      <div className="page-header">
        <div>
          {tab === 'submissions' ? (
            <Breadcrumb to="/grading">
              <span className="written-line" dir="auto">
                {about.data?.course_title ?? t('Grading')}
              </span>
            </Breadcrumb>
          ) : (
            <ItemBreadcrumb item={item} title={about.data?.title} />
          )}
          <h1 className="written">{tab === 'submissions' ? title : t(names[tab])}</h1>
        </div>
        {tab === 'submissions' && (
          <div className="item-actions">
            <GradeNext item={item} />
          </div>
        )}
      </div>
      <ItemStatus item={item} courseId={about.data?.course_id} />
      {/* The arrow keys only move the focus: a page with unsaved changes asks before it is left. */}
      <Tabs selectedKey={tab} onSelectionChange={open} keyboardActivation="manual" className="item-tabs">
        <TabList aria-label={title} className="tab-list">
          {Object.entries(names)
            .filter(([id]) => id !== 'reviews' || hasReviews)
            .map(([id, english]) => (
              <Tab key={id} id={id} className="tab">
                {t(english)}
              </Tab>
            ))}
        </TabList>
        {/* A panel keeps its initial id, but each tab refers to its own panel, so the key replaces the panel. */}
        <TabPanel key={tab} id={tab} className="item-panel">
          <Outlet />
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** Returns the tab of the current URL: what follows the id of the item. */
function useTab(): TabId {
  const path = useChildMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const tab = path.slice(paths.submissions.length + 1).split('/')[0] ?? '';
  return tab in paths ? (tab as TabId) : 'submissions';
}

/** Whether students can ask for reviews. */
function useHasReviews(item: ItemId): boolean {
  const about = useQuery(describedItemQuery(item)).data?.item;
  // While the services are being updated, a response from the previous version has no setting.
  return about !== undefined && (about.reviews ?? null) !== null;
}
