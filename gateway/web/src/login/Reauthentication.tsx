import { lazy, Suspense } from 'react';
import { usePasswordRequest } from '../shared/session/reauthentication.ts';

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./ReauthenticationDialog.tsx')).ReauthenticationDialog,
}));

/** The dialog that asks for the password again before actions for which the installation requires it. */
export function Reauthentication() {
  const request = usePasswordRequest();
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <ReauthenticationDialog onGiven={request.onGiven} onDeclined={request.onDeclined} />
    </Suspense>
  );
}
