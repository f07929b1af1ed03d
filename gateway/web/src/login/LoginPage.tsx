import { lazy, Suspense } from 'react';
import { I18nProvider } from 'react-aria-components';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { AppearanceMenu } from '../shared/layout/AppearanceMenu.tsx';
import '../shared/layout/layout.css';
import { LoginForm } from './LoginForm.tsx';
import './login.css';

const SingleSignOn = lazy(async () => ({ default: (await import('./SingleSignOn.tsx')).SingleSignOn }));

export function LoginPage() {
  const { t, language } = useTranslation();
  return (
    <I18nProvider locale={language}>
      <div className="login-page">
        <div className="login-tools">
          <AppearanceMenu />
        </div>
        <main className="login-box">
          <div className="login-title">
            <img src="/icon.svg" alt="" width="40" height="40" />
            <h1>{t('Log in to Gradeway')}</h1>
          </div>
          <LoginForm autoFocus />
          <Suspense fallback={null}>
            <SingleSignOn />
          </Suspense>
        </main>
      </div>
    </I18nProvider>
  );
}
