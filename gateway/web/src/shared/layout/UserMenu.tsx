import { lazy } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import { usePerson } from '../session/currentSession.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuButton } from './MenuButton.tsx';

const UserList = lazy(async () => ({ default: (await import('./UserList.tsx')).UserList }));

/** The menu button with the user's name. */
export function UserMenu() {
  const { t } = useTranslation();
  const { name } = usePerson();
  return (
    <MenuButton className="button plain user-button" list={UserList}>
      <span className="written-line" dir="auto">
        {name || t('Account')}
      </span>
      <Icon name="down" />
    </MenuButton>
  );
}
