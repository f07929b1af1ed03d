import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseTheme, chosenTheme, type Theme, themeNames, themes } from '../shared/appearance/theme.ts';
import { Choice } from '../shared/form/Field.tsx';
import { chooseLanguage, type Language, languages } from '../shared/language/languages.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import './account.css';
import { Loaded } from '../shared/ui/Loaded.tsx';
import { meQuery } from './accountRequests.ts';
import { CalendarSection } from './CalendarSection.tsx';
import { IdentitiesSection } from './IdentitiesSection.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { TokensSection } from './TokensSection.tsx';

/** Lets users edit their own account. */
export function AccountPage() {
  const { t } = useTranslation();
  const me = useQuery(meQuery);
  return (
    <div className="page account">
      <div className="page-header">
        <div>
          <h1>{t('Account')}</h1>
          {me.data && (
            <p className="quiet written">
              {[me.data.name.trim(), me.data.email, me.data.mobile].filter(Boolean).join(' · ')}
            </p>
          )}
        </div>
      </div>
      <Loaded query={me}>
        {(data) => (
          <>
            <PasswordSection />
            <SecondFactorSection isEnabled={data.has_second_factor} />
            <SessionsSection />
            <IdentitiesSection />
            {data.role !== 'parent' && <NotificationsSection />}
            <CalendarSection />
            <TokensSection />
            <AppearanceSection />
          </>
        )}
      </Loaded>
    </div>
  );
}

function AppearanceSection() {
  const { t, language } = useTranslation();
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <section className="card account-part" aria-labelledby="account-appearance">
      <h2 id="account-appearance">{t('Theme and language')}</h2>
      <div className="field-pair">
        <Choice
          label={t('Language')}
          value={language}
          options={Object.entries(languages)}
          onChange={(chosen) => void chooseLanguage(chosen as Language)}
        />
        <Choice
          label={t('Theme')}
          value={theme}
          options={themes.map((each) => [each, t(themeNames[each])] as const)}
          onChange={(chosen) => {
            chooseTheme(chosen as Theme);
            setTheme(chosen as Theme);
          }}
        />
      </div>
    </section>
  );
}
