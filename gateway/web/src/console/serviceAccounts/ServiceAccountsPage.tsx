import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { DataTable } from '../../shared/list/DataTable.tsx';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { SecretDialog } from '../../shared/ui/SecretDialog.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { ServiceAccountActions } from './ServiceAccountActions.tsx';
import { ServiceAccountDialog } from './ServiceAccountDialog.tsx';
import { ServiceTokens } from './ServiceTokens.tsx';
import {
  createServiceAccount,
  type NewServiceAccount,
  serviceAccountsQuery,
} from './serviceAccountRequests.ts';
import './serviceAccounts.css';

/** The accounts of programs, with their permissions and tokens. */
export function ServiceAccountsPage() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const accounts = useQuery(serviceAccountsQuery);
  const [isCreating, setCreating] = useState(false);
  const [token, setToken] = useState<string>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: serviceAccountsQuery.queryKey });
  const create = async (fields: NewServiceAccount) => {
    setToken(await createServiceAccount(fields));
    await refresh();
  };
  return (
    <>
      <PageHeader title={t('Service accounts')}>
        <Button className="button primary" onPress={() => setCreating(true)}>
          {t('New service account')}
        </Button>
      </PageHeader>
      <Loaded query={accounts}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={t('No service accounts yet')}>
              <p>{t('A program that uses the API in the name of the school has an account of its own.')}</p>
            </EmptyState>
          ) : (
            <DataTable
              label={t('Service accounts')}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: t('Name'),
                  cell: ({ name, is_disabled }) => (
                    <>
                      <span className="written">{name}</span>{' '}
                      {is_disabled && <span className="badge bad">{t('Disabled')}</span>}
                    </>
                  ),
                },
                { name: t('Permissions'), cell: ({ scopes }) => scopes.join(' · ') },
                {
                  name: t('Courses'),
                  cell: ({ course_ids }) => (course_ids === null ? t('All') : course_ids.length),
                },
                {
                  name: t('Tokens'),
                  cell: (account) => <ServiceTokens account={account} onChanged={refresh} />,
                },
              ]}
              actions={(account) => (
                <ServiceAccountActions account={account} onChanged={refresh} onToken={setToken} />
              )}
            />
          )
        }
      </Loaded>
      {isCreating && <ServiceAccountDialog onSave={create} onClose={() => setCreating(false)} />}
      {token !== undefined && !isCreating && (
        <SecretDialog
          title={t('The token of the service account')}
          about={t('Give it to the program, and to no one else. It is shown only once.')}
          secret={token}
          onClose={() => setToken(undefined)}
        />
      )}
    </>
  );
}
