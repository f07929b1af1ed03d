import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { providersQuery } from '../shared/api/loginProviders.ts';
import { type Identity, identitiesQuery } from '../shared/api/ownIdentities.ts';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { Time } from '../shared/time/Time.tsx';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { linkIdentity, removeIdentity } from './connectionRequests.ts';

/** Lists the accounts of other systems with which the user signs in. Hidden where there is no such system. */
export function IdentitiesSection() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const providers = useQuery(providersQuery).data ?? [];
  const identities = useQuery(identitiesQuery).data ?? [];
  const { isBusy, error, submit } = useFormRequest();
  if (providers.length === 0 && identities.length === 0) return null;
  const nameOf = ({ provider }: Identity) => providers.find(({ id }) => id === provider)?.name ?? provider;
  const remove = (id: Identity['id']) =>
    submit(async () => {
      await removeIdentity(id);
      await queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey });
    });
  return (
    <section className="card account-part" aria-labelledby="account-identities">
      <h2 id="account-identities">{t('Single sign-on')}</h2>
      <ErrorNotice text={error} />
      <ul className="sessions" aria-labelledby="account-identities">
        {identities.map((identity) => (
          <li key={identity.id}>
            <div>
              <p className="written">{nameOf(identity)}</p>
              <p className="quiet small">
                {identity.email !== null && <bdi className="written">{identity.email} · </bdi>}
                {t('Linked')} <Time at={identity.linked_at} />
              </p>
            </div>
            <Button
              className="button"
              aria-label={t('Unlink {name}', { name: nameOf(identity) })}
              isDisabled={isBusy}
              onPress={() => void remove(identity.id)}
            >
              {t('Unlink')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="form-buttons">
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            className="button"
            isDisabled={isBusy}
            onPress={() => void submit(() => linkIdentity(id))}
          >
            {t('Link {name}', { name })}
          </Button>
        ))}
      </div>
    </section>
  );
}
