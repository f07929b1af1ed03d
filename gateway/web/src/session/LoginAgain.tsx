import { lazy, Suspense, useEffect } from 'react';
import { useSessionState } from '../shared/access/currentSession.ts';

const load = () => import('./LoginAgainDialog.tsx');
const LoginAgainDialog = lazy(async () => ({ default: (await load()).LoginAgainDialog }));
/** After what the page itself needs. */
const delay = 10_000;

/** The dialog to log in again, which is loaded before it is needed: by then there may be no connection. */
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
