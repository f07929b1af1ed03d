import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FormDialog } from '../shared/form/FormDialog.tsx';
import { useDialogForm } from '../shared/form/useDialogForm.ts';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { expiryOf } from '../shared/tokens/expiry.ts';
import { scopeTexts } from '../shared/tokens/scopeTexts.ts';
import { TokenDates } from '../shared/tokens/TokenDates.tsx';
import { ExpiryField, ScopeFields, TokenNameField } from '../shared/tokens/TokenFields.tsx';
import type { Scope } from '../shared/tokens/tokenTypes.ts';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { Loaded } from '../shared/ui/Loaded.tsx';
import { SecretDialog } from '../shared/ui/SecretDialog.tsx';
import { createToken, endToken, type NewToken, scopesQuery, tokensQuery } from './connectionRequests.ts';

/** Lists the user's tokens for programs, and creates and ends them. */
export function TokensSection() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const tokens = useQuery(tokensQuery);
  const { isBusy, error, submit } = useFormRequest();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<string>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const create = async (token: NewToken) => {
    setCreated(await createToken(token));
    await refresh();
  };
  return (
    <section className="card account-part" aria-labelledby="account-tokens">
      <div className="account-head">
        <h2 id="account-tokens">{t('Tokens for programs')}</h2>
        <Button className="button" onPress={() => setCreating(true)}>
          {t('New token')}
        </Button>
      </div>
      <p className="quiet">
        {t('A program that has a token can do in your name what the token permits, without your password.')}
      </p>
      <ErrorNotice text={error} />
      <Loaded query={tokens}>
        {(data) => (
          <ul className="sessions" aria-labelledby="account-tokens">
            {data.map((token) => (
              <li key={token.id}>
                <div>
                  <p className="written">{token.name}</p>
                  <p className="small">{token.scopes.join(' · ')}</p>
                  <TokenDates token={token} />
                </div>
                <Button
                  className="button"
                  aria-label={t('End the token {name}', { name: token.name })}
                  isDisabled={isBusy}
                  onPress={() => void submit(() => endToken(token.id).then(refresh))}
                >
                  {t('End')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isCreating && <NewTokenDialog onSave={create} onClose={() => setCreating(false)} />}
      {created !== undefined && !isCreating && (
        <SecretDialog
          title={t('Your token')}
          about={t('Give it to the program, and to no one else. It is shown only once.')}
          secret={created}
          onClose={() => setCreated(undefined)}
        />
      )}
    </section>
  );
}

function NewTokenDialog({ onSave, onClose }: { onSave(token: NewToken): Promise<void>; onClose(): void }) {
  const { t } = useTranslation();
  const scopes = useQuery(scopesQuery);
  const save = (form: FormData) =>
    onSave({
      name: String(form.get('name')).trim(),
      scopes: form.getAll('scopes') as Scope[],
      ...expiryOf(form),
    });
  const { dialog, errorOf } = useDialogForm(save, onClose, ['name', 'scopes', 'expires_at']);
  return (
    <FormDialog title={t('New token')} action={t('Create')} {...dialog}>
      <TokenNameField label={t('What it is for')} error={errorOf('name')} />
      <Loaded query={scopes}>
        {(permitted) => (
          <ScopeFields
            offered={scopeTexts.filter(([scope]) => permitted.includes(scope))}
            error={errorOf('scopes')}
          />
        )}
      </Loaded>
      <ExpiryField error={errorOf('expires_at')} />
    </FormDialog>
  );
}
