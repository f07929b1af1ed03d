import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/noto-sans-arabic/index.css';
import './shared/styles/tokens.css';
import './shared/styles/base.css';
import './shared/styles/controls.css';
import './shared/styles/print.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LoginAgain } from './login/LoginAgain.tsx';
import { Reauthentication } from './login/Reauthentication.tsx';
import { preloadPage, router } from './router.tsx';
import { ApiError } from './shared/api/apiError.ts';
import { queryClient } from './shared/api/queryClient.ts';
import { chosenTheme, showTheme } from './shared/appearance/theme.ts';
import { preferredLanguage, showLanguage } from './shared/language/languages.ts';
import { session } from './shared/session/currentSession.ts';

showTheme(chosenTheme());
const started = session.start();
preloadPage();
await showLanguage(preferredLanguage());

// A logout clears the cached data, and the router shows the login page.
let before = session.state().status;
session.store.subscribe(() => {
  const { status } = session.state();
  if (status === 'out') queryClient.clear();
  if (status !== before && (status === 'out' || before === 'out')) void router.invalidate();
  before = status;
});

const place = document.getElementById('application');
if (!place) throw new Error('index.html has no element for the application');
createRoot(place, {
  // An API error that its page displays is not a bug in the application and does not belong in the console.
  onCaughtError: (error) => {
    if (!(error instanceof ApiError)) reportError(error);
  },
}).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} context={{ started }} />
        <Reauthentication />
        <LoginAgain />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
