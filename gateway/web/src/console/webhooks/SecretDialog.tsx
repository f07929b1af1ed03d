import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Modal } from '../../shared/ui/Modal.tsx';

/** Shows a secret, which cannot be displayed again. The dialog cannot be closed by accident. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const { t } = useTranslation();
  const [statusText, setStatusText] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(secret).then(
      () => setStatusText(t('Copied')),
      () => setStatusText(t('Copying failed. Select the text and copy it yourself.')),
    );
  };
  return (
    <Modal title={t('The secret of the webhook')} isOpen>
      <p>{t('The receiver uses it to verify that messages come from this school. It is shown only once.')}</p>
      <code className="secret" dir="ltr">
        {secret}
      </code>
      <p role="status" className="quiet small">
        {statusText}
      </p>
      <div className="dialog-buttons">
        <Button className="button" onPress={copy}>
          {t('Copy')}
        </Button>
        <Button className="button primary" onPress={onClose}>
          {t('I have saved it')}
        </Button>
      </div>
    </Modal>
  );
}
