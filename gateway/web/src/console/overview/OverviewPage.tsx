import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { schoolTimeZone } from '../../shared/time/schoolTimeZone.ts';
import { sections } from '../layout/sections.ts';
import { totalsQueries } from './totalsQueries.ts';

/** Lists the sections with their totals. */
export function OverviewPage() {
  const { t, formatNumber } = useTranslation();
  // A failed request shows no figure here; its section shows the error.
  const totals: Record<string, number | undefined> = {
    '/console/courses': useQuery(totalsQueries.courses).data,
    '/console/users': useQuery(totalsQueries.users).data,
    '/console/webhooks': useQuery(totalsQueries.webhooks).data,
  };
  return (
    <>
      <PageHeader title={t('Console')} />
      <TimeZone />
      <ul className="card overview-list">
        {sections.map(({ to, english, about }) => (
          <li key={to}>
            <Link to={to}>
              <span className="stacked">
                <span className="overview-name">{t(english)}</span>
                <span className="quiet small">{t(about)}</span>
              </span>
              {totals[to] !== undefined && (
                <span className="overview-figure figures">{formatNumber(totals[to])}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Deadlines are entered and displayed in this time zone. Few schools want the default, UTC. */
function TimeZone() {
  const { t } = useTranslation();
  const zone = t('Time zone of the school: {zone}', { zone: schoolTimeZone });
  if (schoolTimeZone !== 'UTC') return <p className="quiet">{zone}</p>;
  return (
    <p className="notice">
      <span>
        {zone}.{' '}
        {t(
          'This is the default. Deadlines are entered and shown in it. If your school is elsewhere, set APP_TIMEZONE for every process and restart.',
        )}
      </span>
    </p>
  );
}
