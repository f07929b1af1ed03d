import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorState, explain } from '../../shared/ui/states.tsx';
import { itemQuery, progressQuery, sheetKey } from '../queue/gradingQueries.ts';
import { claimNext } from '../queue/gradingRequests.ts';
import type { Filter } from '../queue/gradingTypes.ts';
import { rememberTrail } from '../queue/trailStore.ts';
import './item.css';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { SubmissionsTable } from './SubmissionsTable.tsx';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/');
const tabs = { ungraded: 'Ungraded', graded: 'Graded', all: 'All' } as const;

/** Shows the submissions of a quiz or an assignment, and where to start grading. */
export function ItemPage() {
  const { t } = useTranslation();
  const item = route.useParams();
  const { status = 'ungraded', search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const about = useQuery(itemQuery(item));
  const progress = useQuery(progressQuery(item));
  const title = about.data?.title ?? t(item.kind === 'quizzes' ? 'Quiz' : 'Homework');

  const choose = (tab: Key) =>
    void navigate({
      search: (before) => ({ ...before, status: tab === 'ungraded' ? undefined : (tab as 'graded' | 'all') }),
      replace: true,
      resetScroll: false,
    });
  const find = (text: string) =>
    void navigate({
      search: (before) => ({ ...before, search: text === '' ? undefined : text }),
      replace: true,
      resetScroll: false,
    });

  if (about.error && !about.data)
    return (
      <div className="page">
        <ErrorState error={about.error} onRetry={() => void about.refetch()} isPage />
      </div>
    );
  return (
    <div className="page">
      <div className="page-header">
        <div>
          <Breadcrumb to="/grading">
            <span className="written-line" dir="auto">
              {about.data?.course_title ?? t('Grading')}
            </span>
          </Breadcrumb>
          <h1 className="written">{title}</h1>
          <p className="quiet figures">
            {progress.data
              ? t('{graded} of {total}', {
                  graded: String(progress.data.graded),
                  total: String(progress.data.total),
                })
              : '\u00a0'}
          </p>
        </div>
        <div className="item-actions">
          <Link to="/grading/$kind/$itemId/statistics" params={item} className="button">
            {t('Statistics')}
          </Link>
          <Link to="/grading/$kind/$itemId/rubric" params={item} className="button">
            {t('Rubric')}
          </Link>
          <GradeNext />
        </div>
      </div>
      <Tabs selectedKey={status} onSelectionChange={choose} className="submission-tabs">
        <div className="submission-filters">
          <TabList aria-label={t('Submissions')} className="tab-list">
            {Object.entries(tabs).map(([id, english]) => (
              <Tab key={id} id={id} className="tab">
                {t(english)}
              </Tab>
            ))}
          </TabList>
          <SearchField text={search} placeholder={t('Name or email')} onFind={find} />
        </div>
        {Object.keys(tabs).map((id) => (
          <TabPanel key={id} id={id}>
            <Submissions status={id as Filter['status']} search={search} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function Submissions({ status, search }: Filter) {
  const item = route.useParams();
  const filter = useDeferredValue(search);
  // A changed filter means another list, which keeps no state of the old one.
  return <SubmissionsTable key={`${status} ${filter}`} item={item} filter={{ status, search: filter }} />;
}

/** Claims the next submission and opens it. */
function GradeNext() {
  const { t } = useTranslation();
  const item = route.useParams();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [statusText, setStatusText] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function open(): Promise<void> {
    setBusy(true);
    setStatusText('');
    try {
      const next = await claimNext(item, []);
      if (!next) return setStatusText(t('Nothing left to grade, or other graders are working on the rest.'));
      queryClient.setQueryData(sheetKey(item.kind, next.detail.id), next);
      rememberTrail(item, [next.detail.id]);
      await navigate({
        to: '/grading/$kind/$itemId/submissions/$submissionId',
        params: { ...item, submissionId: next.detail.id },
      });
    } catch (error) {
      setStatusText(explain(error, t).title);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <BusyButton className="button primary" onPress={() => void open()} isBusy={isBusy}>
        {t('Grade next')}
      </BusyButton>
      <p role="status" className="grade-next-status small">
        {statusText}
      </p>
    </>
  );
}
