import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Modal } from '../../shared/ui/Modal.tsx';

interface Props {
  title: string;
  minutes: number;
  address: string;
  onOpen(): void;
  onClose(): void;
}

/** Asks for confirmation before the clock of an attempt starts, because it cannot be stopped. */
export function StartQuestion({ title, minutes, address, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal title={t('Start {title}?', { title })} isOpen onClose={onClose}>
      <p>
        {t('Opening them starts your time: {minutes} minutes. It cannot be paused.', {
          minutes: String(minutes),
        })}
      </p>
      <div className="dialog-buttons">
        <Button className="button" onPress={onClose}>
          {t('Not yet')}
        </Button>
        <a
          className="button primary"
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          onClick={onOpen}
          onAuxClick={onOpen}
        >
          {t('Open the questions')}
        </a>
      </div>
    </Modal>
  );
}
