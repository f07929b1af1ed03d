import { lazy } from 'react';
import { useWords } from '../language/text.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuButton } from './MenuButton.tsx';

const AppearanceList = lazy(async () => ({ default: (await import('./AppearanceList.tsx')).AppearanceList }));

/** The menu for theme and language. */
export function AppearanceMenu() {
  const { t } = useWords();
  return (
    <MenuButton className="button plain icon" label={t('Theme and language')} list={AppearanceList}>
      <Icon name="sun" />
    </MenuButton>
  );
}
