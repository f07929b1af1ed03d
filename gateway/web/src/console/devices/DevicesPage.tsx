import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { EmptyState, ErrorState } from '../../shared/ui/states.tsx';
import { PersonPicker } from '../pickers/PersonPicker.tsx';
import { personQuery } from '../pickers/personQueries.ts';
import { DeviceList } from './DeviceList.tsx';

const route = getRouteApi('/inside/admins/console/devices');

/** The devices of one user, who is searched for first: the API lists devices per user. */
export function DevicesPage() {
  const { t } = useTranslation();
  const { user, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const person = useQuery({ ...personQuery(user ?? 0), enabled: user !== undefined });
  const name = person.data?.name ?? '';
  return (
    <>
      <PageHeader title={t('Devices')} />
      <PersonPicker
        // The text is the name of the user in the URL.
        key={name}
        label={t('Person')}
        text={name}
        onChoose={(chosen) => {
          if (chosen) void navigate({ search: { user: chosen.id }, resetScroll: false });
        }}
      />
      {user === undefined ? (
        <EmptyState title={t('Choose a person')}>
          <p>{t('Find a person to see the devices they log in with.')}</p>
        </EmptyState>
      ) : person.error ? (
        <ErrorState error={person.error} onRetry={() => void person.refetch()} />
      ) : (
        <section className="section" aria-labelledby="devices-of">
          <h2 id="devices-of" className="written">
            <Link to="/console/users/$userId" params={{ userId: user }}>
              {person.data?.name ?? t('Person')}
            </Link>
          </h2>
          <DeviceList userId={user} page={page} />
        </section>
      )}
    </>
  );
}
