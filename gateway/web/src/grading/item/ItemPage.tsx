import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { progressQuery } from '../queue/gradingQueries.ts';
import type { Filter } from '../queue/gradingTypes.ts';
import { describedItemQuery } from '../queue/itemQueries.ts';
import { SubmissionsTable } from './SubmissionsTable.tsx';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/');
const tabs = { ungraded: 'Ungraded', graded: 'Graded', all: 'All' } as const;

/** Shows the submissions of a quiz or an assignment. */
export function ItemPage() {
  const { t } = useTranslation();
  const item = route.useParams();
  const found = route.useSearch();
  const status = found.status !== undefined && found.status in tabs ? found.status : 'ungraded';
  const search = String(found.search ?? '');
  const navigate = route.useNavigate();
  const progress = useQuery(progressQuery(item));
  const about = useQuery({ ...describedItemQuery(item), staleTime: 0 });

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

  return (
    <>
      <p className="item-progress figures small">
        <span className="quiet">
          {progress.data
            ? t('{graded} of {total}', {
                graded: String(progress.data.graded),
                total: String(progress.data.total),
              })
            : '\u00a0'}
        </span>
        <Link to="/grading/$kind/$itemId/rubric" params={item}>
          {t('Rubric')}
        </Link>
        <Link to="/grading/$kind/$itemId/statistics" params={item}>
          {t('Statistics')}
        </Link>
      </p>
      <Tabs selectedKey={status} onSelectionChange={choose} className="submission-tabs">
        <div className="submission-filters">
          <TabList aria-label={t('Status')} className="tab-list">
            {Object.entries(tabs).map(([id, english]) => (
              <Tab key={id} id={id} className="tab">
                {t(english)}
              </Tab>
            ))}
          </TabList>
          <SearchField
            text={search}
            placeholder={about.data?.item.anonymous ? t('Code') : t('Name or email')}
            onFind={find}
          />
        </div>
        {Object.keys(tabs).map((id) => (
          <TabPanel key={id} id={id}>
            <Submissions status={id as Filter['status']} search={search} />
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

function Submissions({ status, search }: Filter) {
  const item = route.useParams();
  const filter = useDeferredValue(search);
  // A changed filter is a new list, which keeps no state from the old one.
  return <SubmissionsTable key={`${status} ${filter}`} item={item} filter={{ status, search: filter }} />;
}
