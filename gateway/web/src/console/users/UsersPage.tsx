import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Choice } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { type Role, roles } from '../searchParams.ts';
import { UserFields } from './UserFields.tsx';
import { newUserOf, userFields } from './userFormData.ts';
import { createUser, usersKey, usersQuery } from './userRequests.ts';
import { roleNames, type User } from './userTypes.ts';

const route = getRouteApi('/inside/admins/console/users');

export function UsersPage() {
  const { t } = useTranslation();
  const { search = '', role, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const users = useQuery(usersQuery(search, role, page));
  const [isCreating, setCreating] = useState(false);
  // A new filter starts with the first page.
  const filter = (change: { search?: string; role?: Role | '' }) => {
    const next: { search: string; role: Role | '' } = { search, role: role ?? '', ...change };
    void navigate({
      search: {
        ...(next.search === '' ? {} : { search: next.search }),
        ...(next.role === '' ? {} : { role: next.role }),
      },
      replace: true,
      resetScroll: false,
    });
  };

  return (
    <>
      <PageHeader title={t('Users')}>
        <Button className="button primary" onPress={() => setCreating(true)}>
          {t('New user')}
        </Button>
      </PageHeader>
      <div className="list-filters">
        <SearchField
          text={search}
          placeholder={t('Name or email')}
          onFind={(text) => filter({ search: text })}
        />
        <Choice
          label={t('Role')}
          value={role ?? ''}
          options={[['', t('All')], ...roles.map((each) => [each, t(roleNames[each])] as const)]}
          onChange={(value) => filter({ role: value as Role | '' })}
        />
      </div>
      <UserTable users={users} />
      {isCreating && <NewUserDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function UserTable({ users }: { users: UseQueryResult<ListPage<User>> }) {
  const { t } = useTranslation();
  return (
    <PagedTable
      list={users}
      empty={<EmptyState title={t('No one found')} />}
      label={t('Users')}
      columns={[
        {
          name: t('Name'),
          cell: ({ id, name, is_blocked }) => (
            <>
              <Link to="/console/users/$userId" params={{ userId: id }} className="written">
                {name.trim() || t('Unnamed')}
              </Link>{' '}
              {is_blocked && <span className="badge bad">{t('Blocked')}</span>}
            </>
          ),
        },
        {
          name: t('Email or mobile number'),
          cell: ({ email, mobile }) => <span className="written">{email ?? mobile ?? '–'}</span>,
        },
        { name: t('Role'), cell: ({ role }) => t(roleNames[role]) },
        {
          name: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
        },
      ]}
    />
  );
}

function NewUserDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { isBusy, error, errorOf, submit } = useFormRequest(userFields);
  const create = async (form: FormData) => {
    const { id } = await createUser(newUserOf(form));
    void queryClient.invalidateQueries({ queryKey: usersKey });
    await navigate({ to: '/console/users/$userId', params: { userId: id } });
  };
  return (
    <FormDialog
      title={t('New user')}
      action={t('Create')}
      isBusy={isBusy}
      error={error}
      onSubmit={(form) => void submit(() => create(form))}
      onClose={onClose}
    >
      <UserFields errorOf={errorOf} />
    </FormDialog>
  );
}
