import { lazy } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuButton } from './MenuButton.tsx';

const AppearanceList = lazy(async () => ({ default: (await import('./AppearanceList.tsx')).AppearanceList }));

/** The menu for theme and language. */
export function AppearanceMenu() {
  const { t } = useTranslation();
  return (
    <MenuButton className="button plain icon" label={t('Theme and language')} list={AppearanceList}>
      <Icon name="sun" />
    </MenuButton>
  );
}
