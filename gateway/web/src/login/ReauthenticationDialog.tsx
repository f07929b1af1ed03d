import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../shared/api/apiError.ts';
import { api, responseOf } from '../shared/api/client.ts';
import { identitiesQuery } from '../shared/api/ownIdentities.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { Modal } from '../shared/ui/Modal.tsx';
import { explain } from '../shared/ui/states.tsx';
import './login.css';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { PasswordField } from './PasswordField.tsx';
import { currentPage, ProviderLinks } from './ProviderLinks.tsx';

interface Props {
  onGiven(): void;
  onDeclined(): void;
}

export function ReauthenticationDialog({ onGiven, onDeclined }: Props) {
  const { t } = useTranslation();
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  // Without an identity or a connection, only the password is offered.
  const identities = useQuery(identitiesQuery).data ?? [];

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const password = String(new FormData(event.currentTarget).get('password'));
    setBusy(true);
    setError('');
    try {
      await responseOf(api.POST('/api/v3/reauthenticate', { body: { password } }));
      onGiven();
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 422;
      setError(isWrong ? error.sentence : explain(error, t).title);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal title={t('Enter your password again')} isOpen onClose={onDeclined}>
      <form className="login-form" noValidate onSubmit={(event) => void send(event)}>
        <p className="quiet">{t('This school asks for your password before important changes.')}</p>
        <ErrorNotice text={error} />
        <PasswordField autoFocus />
        <div className="dialog-buttons">
          <Button className="button" onPress={onDeclined}>
            {t('Cancel')}
          </Button>
          <Button type="submit" className="button primary" isPending={isBusy}>
            {t('Continue')}
          </Button>
        </div>
      </form>
      <ProviderLinks next={currentPage()} toReauthenticate={identities.map(({ provider }) => provider)} />
    </Modal>
  );
}
