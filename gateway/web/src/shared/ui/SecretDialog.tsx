import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { Modal } from './Modal.tsx';
import './secretDialog.css';

interface Props {
  title: string;
  /** What the secret is for. */
  about: string;
  secret: string;
  onClose(): void;
}

/** Shows a secret, which cannot be displayed again. The dialog cannot be closed by accident. */
export function SecretDialog({ title, about, secret, onClose }: Props) {
  const { t } = useTranslation();
  const [statusText, setStatusText] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(secret).then(
      () => setStatusText(t('Copied')),
      () => setStatusText(t('Copying failed. Select the text and copy it yourself.')),
    );
  };
  return (
    <Modal title={title} isOpen>
      <p>{about}</p>
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
