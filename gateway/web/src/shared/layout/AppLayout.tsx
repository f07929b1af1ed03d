import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { AppearanceMenu } from './AppearanceMenu.tsx';
import './layout.css';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { UserMenu } from './UserMenu.tsx';

/** A link of the main navigation. `english` is its text. */
export interface NavigationLink {
  to: string;
  english: string;
  /** URLs below it belong to other links. */
  isExact?: boolean;
}

/** The frame around every page for logged-in users. */
export function AppLayout({ links, children }: { links: NavigationLink[]; children: ReactNode }) {
  const { t, language } = useTranslation();
  return (
    <I18nProvider locale={language}>
      <a className="skip-link" href="#content">
        {t('Skip to content')}
      </a>
      <header className="app-header">
        <Link to="/" className="brand" aria-label="Gradeway">
          <img src="/icon.svg" alt="" width="24" height="24" />
          <span>Gradeway</span>
        </Link>
        <nav aria-label={t('Main')}>
          <ul>
            {links.map(({ to, english, isExact = false }) => (
              <li key={to}>
                <Link to={to} className="nav-link" activeOptions={{ exact: isExact }}>
                  {t(english)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="app-tools">
          <ShortcutsDialog />
          <AppearanceMenu />
          <UserMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </I18nProvider>
  );
}
