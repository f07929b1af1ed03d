import { useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, Popover } from 'react-aria-components';
import { chooseTheme, chosenTheme, type Theme, themeNames, themes } from '../appearance/theme.ts';
import { chooseLanguage, type Language, languages } from '../language/languages.ts';
import { useTranslation } from '../language/useTranslation.ts';
import type { MenuListProps } from './MenuButton.tsx';

export function AppearanceList({ button, onClose }: MenuListProps) {
  const { t, language } = useTranslation();
  const [theme, setTheme] = useState(chosenTheme);

  const selectTheme = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };

  return (
    <Popover
      className="popover"
      aria-label={t('Theme and language')}
      placement="bottom end"
      triggerRef={button}
      isOpen
      onOpenChange={onClose}
    >
      <Menu className="menu" aria-label={t('Theme and language')} autoFocus="first" onClose={onClose}>
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[theme]}
          onSelectionChange={(keys) => selectTheme([...keys][0] as Theme)}
        >
          <Header className="menu-heading">{t('Theme')}</Header>
          {themes.map((each) => (
            <MenuItem key={each} id={each} className="menu-item">
              {t(themeNames[each])}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[language]}
          onSelectionChange={(keys) => void chooseLanguage([...keys][0] as Language)}
        >
          <Header className="menu-heading">{t('Language')}</Header>
          {Object.entries(languages).map(([each, name]) => (
            <MenuItem key={each} id={each} className="menu-item" textValue={name}>
              <span lang={each}>{name}</span>
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </Popover>
  );
}
