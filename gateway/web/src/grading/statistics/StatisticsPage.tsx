import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { statisticsQuery } from '../queue/gradingQueries.ts';
import type { Statistics } from '../queue/gradingTypes.ts';
import '../rubric/rubric.css';
import { Histogram } from './Histogram.tsx';
import './statistics.css';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/statistics');

export function StatisticsPage() {
  const { t } = useTranslation();
  const item = route.useParams();
  const statistics = useQuery(statisticsQuery(item));
  return (
    <div className="statistics">
      {statistics.error ? (
        <ErrorState error={statistics.error} onRetry={() => void statistics.refetch()} />
      ) : !statistics.data ? (
        <Loading />
      ) : statistics.data.graded === 0 ? (
        <EmptyState title={t('Nothing graded yet')}>
          <p>{t('Statistics appear after the first submission is graded.')}</p>
        </EmptyState>
      ) : (
        <Figures statistics={statistics.data} />
      )}
    </div>
  );
}

function Figures({ statistics }: { statistics: Statistics }) {
  const { t, formatNumber } = useTranslation();
  const {
    submissions,
    graded,
    mean,
    median,
    standard_deviation,
    minimum,
    maximum,
    histogram,
    rubric,
    graders,
  } = statistics;
  const figure = (value: number | null) =>
    value === null ? '–' : formatNumber(value, { maximumFractionDigits: 2 });
  const figures: [string, string][] = [
    [t('Graded'), t('{graded} of {total}', { graded: String(graded), total: String(submissions) })],
    [t('Mean'), figure(mean)],
    [t('Median'), figure(median)],
    [t('Standard deviation'), figure(standard_deviation)],
    [t('Lowest'), figure(minimum)],
    [t('Highest'), figure(maximum)],
  ];
  return (
    <>
      <dl className="key-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="quiet small">{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      <section className="statistics-part" aria-labelledby="histogram">
        <h2 id="histogram">{t('Grades in percent of the total')}</h2>
        <Histogram histogram={histogram} />
      </section>
      {rubric.length > 0 && (
        <CountTable
          title={t('Rubric items')}
          name={t('Item')}
          count={t('Uses')}
          rows={rubric.map(({ item_id, text, uses }) => ({ id: item_id, name: text, count: uses }))}
        />
      )}
      {graders.length > 0 && (
        <CountTable
          title={t('Graders')}
          name={t('Name')}
          count={t('Graded')}
          rows={graders.map(({ id, name, graded: count }) => ({ id, name, count }))}
        />
      )}
    </>
  );
}

interface CountTableProps {
  title: string;
  name: string;
  count: string;
  rows: { id: number; name: string; count: number }[];
}

function CountTable({ title, name, count, rows }: CountTableProps) {
  const { formatNumber } = useTranslation();
  return (
    <section className="statistics-part">
      <table>
        <caption>
          <h2>{title}</h2>
        </caption>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{count}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" className="written">
                {row.name}
              </th>
              <td className="figures">{formatNumber(row.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
