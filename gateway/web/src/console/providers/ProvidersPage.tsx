import { useQuery } from '@tanstack/react-query';
import { providersQuery } from '../../shared/api/loginProviders.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { DataTable } from '../../shared/list/DataTable.tsx';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';

/** The single sign-on providers, with the addresses that their administrators register. */
export function ProvidersPage() {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery);
  const address = (path: string) => <bdi dir="ltr">{new URL(path, location.origin).href}</bdi>;
  return (
    <>
      <PageHeader title={t('Single sign-on')} />
      <p className="quiet">
        {t(
          'Providers are configured by the operator of this installation (OIDC_PROVIDERS). Register these addresses at the provider.',
        )}
      </p>
      <Loaded query={providers}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={t('No providers are configured')} />
          ) : (
            <DataTable
              label={t('Single sign-on')}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { name: t('Name'), cell: ({ name }) => <span className="written">{name}</span> },
                {
                  name: t('Redirect address'),
                  cell: ({ id }) => address(`/session/sso/${id}/callback`),
                },
                {
                  name: t('Back-channel logout address'),
                  cell: ({ id }) => address(`/api/v3/sso/${id}/backchannel-logout`),
                },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}
