import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { session, usePerson } from '../session/currentSession.ts';
import type { MenuListProps } from './MenuButton.tsx';

export function UserList({ button, onClose }: MenuListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { name } = usePerson();
  const [hasFailed, setFailed] = useState(false);

  const openAccount = () => {
    onClose();
    void navigate({ to: '/account' });
  };

  const logOut = () => {
    setFailed(false);
    session.logOut().catch(() => setFailed(true));
  };

  return (
    <Popover
      className="popover"
      aria-label={name || t('Account')}
      placement="bottom end"
      triggerRef={button}
      isOpen
      onOpenChange={onClose}
    >
      {hasFailed && (
        <p role="alert" className="notice bad small">
          {t('You could not be logged out: there is no connection.')}
        </p>
      )}
      <Menu className="menu" aria-label={name || t('Account')} autoFocus="first">
        <MenuItem id="account" className="menu-item" onAction={openAccount}>
          {t('Account')}
        </MenuItem>
        <MenuItem id="log-out" className="menu-item" shouldCloseOnSelect={false} onAction={logOut}>
          {t('Log out')}
        </MenuItem>
      </Menu>
    </Popover>
  );
}
