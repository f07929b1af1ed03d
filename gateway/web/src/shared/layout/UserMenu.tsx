import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { session, usePerson } from '../access/currentSession.ts';
import { useWords } from '../language/text.ts';
import { Icon } from '../ui/icons.tsx';

/** The button with the name of the person. */
export function UserMenu() {
  const { t } = useWords();
  const { name } = usePerson();
  const [hasFailed, setFailed] = useState(false);

  const logOut = () => {
    setFailed(false);
    session.logOut().catch(() => setFailed(true));
  };

  return (
    <>
      {hasFailed && (
        <span role="alert" className="mistake">
          {t('You are still logged in: there is no connection.')}
        </span>
      )}
      <MenuTrigger>
        <Button className="button plain user-button">
          <span className="written-line">{name || t('Account')}</span>
          <Icon name="down" />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" onAction={logOut}>
            <MenuItem id="log-out" className="menu-item">
              {t('Log out')}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
    </>
  );
}
