import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { Icon } from '../ui/icons.tsx';
import { hasOverlay, isTyping } from './keyboardFocus.ts';

const ShortcutsList = lazy(async () => ({ default: (await import('./ShortcutsList.tsx')).ShortcutsList }));

/** A button that opens the list of the page's keyboard shortcuts. The key `?` also opens it. */
export function ShortcutsDialog() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target) || hasOverlay())
        return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <>
      <Button
        className="button plain icon"
        aria-label={t('Keyboard shortcuts')}
        onPress={() => setOpen(true)}
      >
        <Icon name="keyboard" />
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShortcutsList onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
