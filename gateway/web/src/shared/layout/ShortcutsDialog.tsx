import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../language/text.ts';
import { Icon } from '../ui/icons.tsx';
import { Modal } from '../ui/Modal.tsx';
import { type Shortcut, useShownShortcuts } from './shortcuts.ts';
import { hasOverlay, isTyping } from './typing.ts';

const everywhere: Shortcut[] = [
  ['?', 'Keyboard shortcuts'],
  ['Esc', 'Leave a field or close what is open'],
];

/** The button and the dialog with the keys of the page; also opened by `?`. */
export function ShortcutsDialog() {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const shortcuts = useShownShortcuts();

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target) || hasOverlay()) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <>
      <Button className="button plain icon" aria-label={t('Keyboard shortcuts')} onPress={() => setOpen(true)}>
        <Icon name="keyboard" />
      </Button>
      <Modal title={t('Keyboard shortcuts')} isOpen={isOpen} onClose={() => setOpen(false)}>
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
        <div className="dialog-buttons">
          <Button className="button" onPress={() => setOpen(false)}>
            {t('Close')}
          </Button>
        </div>
      </Modal>
    </>
  );
}
