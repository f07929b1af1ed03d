import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { usePerson } from '../../shared/session/currentSession.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import '../../shared/form/form.css';
import { PageForm } from '../../shared/form/PageForm.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { personQuery } from '../pickers/personQueries.ts';
import { AccountActions } from './AccountActions.tsx';
import { Erasure } from './Erasure.tsx';
import { UserFields } from './UserFields.tsx';
import { userChangeOf, userFields } from './userFormData.ts';
import { changeUser, usersKey } from './userRequests.ts';
import { roleNames, type User } from './userTypes.ts';

const route = getRouteApi('/inside/admins/console/users/$userId');

export function UserPage() {
  const { t } = useTranslation();
  const { userId } = route.useParams();
  const queryClient = useQueryClient();
  const user = useQuery(personQuery(userId));
  const isGone = user.error instanceof ApiError && user.error.status === 404;

  const onChanged = (changed: User) => {
    queryClient.setQueryData(personQuery(userId).queryKey, changed);
    void queryClient.invalidateQueries({ queryKey: usersKey });
  };

  return (
    <>
      <div className="page-header">
        <div>
          <Breadcrumb to="/console/users">{t('Users')}</Breadcrumb>
          <h1 className="written">
            {(!isGone && user.data?.name.trim()) || t('Account {id}', { id: userId })}
          </h1>
          {user.data && !isGone && (
            <p className="quiet">
              {t(roleNames[user.data.role])}{' '}
              {user.data.is_blocked && <span className="badge bad">{t('Blocked')}</span>}
            </p>
          )}
        </div>
        {user.data && !isGone && (
          <div className="header-buttons">
            <Link to="/console/devices" search={{ user: userId }} className="button">
              {t('Devices')}
            </Link>
            <Link to="/console/audit" search={{ actor: userId }} className="button">
              {t('Activity')}
            </Link>
          </div>
        )}
      </div>
      {isGone ? (
        <Erasure userId={userId} name={t('Account {id}', { id: userId })} isDeleted />
      ) : user.error && !user.data ? (
        <ErrorState error={user.error} onRetry={() => void user.refetch()} />
      ) : user.data ? (
        <>
          <UserForm key={userId} user={user.data} onChanged={onChanged} />
          <AccountActions user={user.data} onChanged={onChanged} />
          <Erasure userId={userId} name={user.data.name} />
        </>
      ) : (
        <Loading />
      )}
    </>
  );
}

function UserForm({ user, onChanged }: { user: User; onChanged(user: User): void }) {
  const { t } = useTranslation();
  const { isBusy, error, errorOf, submit } = useFormRequest(userFields);
  const { id: ownId } = usePerson();
  const [version, setVersion] = useState(0);
  const [isSaved, setSaved] = useState(false);
  const save = async (form: FormData) => {
    setSaved(false);
    const change = userChangeOf(form, user);
    const isDone =
      Object.keys(change).length === 0 ||
      (await submit(async () => onChanged(await changeUser(user.id, change))));
    setSaved(isDone);
    // Remounts the form, which then shows the saved values and an empty password.
    if (isDone) setVersion((before) => before + 1);
  };
  return (
    <PageForm
      aria-label={t('Account')}
      action={t('Save')}
      isPrimary
      isBusy={isBusy}
      error={error}
      statusText={isSaved ? t('Saved') : ''}
      onSubmit={(form) => void save(form)}
    >
      <UserFields key={version} user={user} isOwn={user.id === ownId} errorOf={errorOf} />
    </PageForm>
  );
}
