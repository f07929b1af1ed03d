import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { SecretDialog } from '../../shared/ui/SecretDialog.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { changeWebhook, deleteWebhook, rotateSecret, sendTest } from './webhookRequests.ts';
import type { Webhook } from './webhookTypes.ts';

/** Buttons and dialogs to change a webhook. */
export function WebhookActions({ webhook, onChanged }: { webhook: Webhook; onChanged(): Promise<void> }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isBusy, error, submit } = useFormRequest();
  const [open, setOpen] = useState<'edit' | 'disable' | 'secret' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpen(undefined);
  const { id, url, is_active } = webhook;
  const setActive = (isActive: boolean) => changeWebhook(id, { is_active: isActive }).then(onChanged);
  const replaceSecret = async () => {
    setSecret(await rotateSecret(id));
    await onChanged();
  };
  const remove = async () => {
    await deleteWebhook(id);
    await navigate({ to: '/console/webhooks' });
    await onChanged();
  };

  return (
    <>
      <div className="form-buttons">
        {is_active ? (
          <BusyButton
            className="button"
            isBusy={isBusy}
            onPress={() => void submit(() => sendTest(id).then(onChanged))}
          >
            {t('Send a test message')}
          </BusyButton>
        ) : (
          <BusyButton
            className="button primary"
            isBusy={isBusy}
            onPress={() => void submit(() => setActive(true))}
          >
            {t('Enable')}
          </BusyButton>
        )}
        <Button className="button" onPress={() => setOpen('edit')}>
          {t('Edit')}
        </Button>
        <Button className="button" onPress={() => setOpen('secret')}>
          {t('Replace the secret')}
        </Button>
        {is_active && (
          <Button className="button" onPress={() => setOpen('disable')}>
            {t('Disable')}
          </Button>
        )}
        <Button className="button danger" onPress={() => setOpen('delete')}>
          {t('Delete')}
        </Button>
      </div>
      <ErrorNotice text={error} />
      {open === 'edit' && (
        <WebhookDialog
          webhook={webhook}
          onSave={(fields) => changeWebhook(id, fields).then(onChanged)}
          onClose={close}
        />
      )}
      {open === 'disable' && (
        <ConfirmDialog
          title={t('Disable this webhook?')}
          action={t('Disable')}
          onConfirm={() => setActive(false)}
          onClose={close}
        >
          <p>
            {t(
              'Events that happen while it is disabled are never sent. Pending deliveries are sent when it is enabled again.',
            )}
          </p>
        </ConfirmDialog>
      )}
      {open === 'secret' && (
        <ConfirmDialog
          title={t('Replace the secret?')}
          action={t('Replace the secret')}
          onConfirm={replaceSecret}
          onClose={close}
        >
          <p>
            {t(
              'The old secret is valid for another 24 hours. Configure the new one in the receiver before then.',
            )}
          </p>
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('Delete the webhook?')}
          action={t('Delete')}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            <bdi dir="ltr">{url}</bdi>
          </p>
          <p>
            {t(
              'Pending deliveries are discarded and the list of deliveries is deleted. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      )}
      {secret !== undefined && open === undefined && (
        <SecretDialog
          title={t('The secret of the webhook')}
          about={t(
            'The receiver uses it to verify that messages come from this school. It is shown only once.',
          )}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
