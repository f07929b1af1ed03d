import { useTranslation } from '../language/useTranslation.ts';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Modal } from '../ui/Modal.tsx';
import { type Shortcut, usePageShortcuts } from './shortcuts.ts';

const everywhere: Shortcut[] = [
  ['?', 'Keyboard shortcuts'],
  ['Esc', 'Leave a field or close a dialog'],
];

/** Lists the keyboard shortcuts of the page, and those that apply everywhere. */
export function ShortcutsList({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const shortcuts = usePageShortcuts();
  return (
    <Modal title={t('Keyboard shortcuts')} isOpen onClose={onClose}>
      <dl className="shortcuts">
        {[...shortcuts, ...everywhere].map(([keys, english]) => (
          <div key={english}>
            <dt>{t(english)}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <DialogClose text={t('Close')} onClose={onClose} />
    </Modal>
  );
}
