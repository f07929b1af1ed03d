import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { progressQuery, statisticsQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery, useIsTeacher } from '../queue/itemQueries.ts';
import './queueFinish.css';
import { ReleaseDialog } from './ReleaseDialog.tsx';

/** Shown when every submission is graded: the grade statistics, and the next step. */
export function QueueFinish({ item }: { item: ItemId }) {
  const { t, formatNumber } = useTranslation();
  const [isReleasing, setReleasing] = useState(false);
  const progress = useQuery(progressQuery(item));
  const statistics = useQuery(statisticsQuery(item));
  const about = useQuery({ ...describedItemQuery(item), staleTime: 0 }).data?.item;
  const isTeacher = useIsTeacher(about?.course_id);
  const figure = (value: number | null | undefined) =>
    typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 2 }) : '–';
  const { mean, median, minimum, maximum } = statistics.data ?? {};
  const figures: [string, number | null | undefined][] = [
    [t('Mean'), mean],
    [t('Median'), median],
    [t('Lowest'), minimum],
    [t('Highest'), maximum],
  ];
  const title = t('All {count} graded', { count: formatNumber(progress.data?.total ?? 0) });
  return (
    <section className="queue-finish" aria-label={title}>
      <h2>{title}</h2>
      <dl className="finish-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="quiet small">{name}</dt>
            <dd className="figures">{figure(value)}</dd>
          </div>
        ))}
      </dl>
      <div className="finish-links">
        <Link to="/grading/$kind/$itemId/statistics" params={item} className="button">
          {t('See the statistics')}
        </Link>
        {isTeacher && about?.published && about.released_at === null && (
          <Button className="button primary" aria-haspopup="dialog" onPress={() => setReleasing(true)}>
            {t('Release grades')}
          </Button>
        )}
      </div>
      {isReleasing && about && (
        <ReleaseDialog
          id={item}
          graded={about.graded}
          anonymous={about.anonymous}
          onClose={() => setReleasing(false)}
        />
      )}
    </section>
  );
}
