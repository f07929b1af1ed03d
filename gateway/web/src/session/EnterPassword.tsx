import { lazy, Suspense } from 'react';
import { usePasswordRequest } from '../shared/access/passwordRequest.ts';

const EnterPasswordDialog = lazy(async () => ({
  default: (await import('./EnterPasswordDialog.tsx')).EnterPasswordDialog,
}));

/** The dialog that asks for the password again before actions that the installation protects with it. */
export function EnterPassword() {
  const request = usePasswordRequest();
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <EnterPasswordDialog onGiven={request.onGiven} onRefused={request.onRefused} />
    </Suspense>
  );
}
