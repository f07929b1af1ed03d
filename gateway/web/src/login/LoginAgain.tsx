import { lazy, Suspense, useEffect } from 'react';
import { useSessionState } from '../shared/session/currentSession.ts';

const load = () => import('./LoginAgainDialog.tsx');
const LoginAgainDialog = lazy(async () => ({ default: (await load()).LoginAgainDialog }));
/** Loads after everything that the page itself needs. */
const delay = 10_000;

/** The dialog for logging in again. It is loaded ahead because there may be no connection when it is needed. */
export function LoginAgain() {
  const { status } = useSessionState();
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => {}), delay);
    return () => clearTimeout(timer);
  }, []);
  if (status !== 'ended') return null;
  return (
    <Suspense fallback={null}>
      <LoginAgainDialog />
    </Suspense>
  );
}
