import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePerson } from '../shared/access/currentSession.ts';
import { useUploadsOf } from './handIn/currentUploads.ts';
import { loadOutcome } from './handIn/loadOutcome.ts';

/** Wraps all student pages, so that uploads continue on whichever page is open. */
export function StudentArea() {
  useEffect(() => {
    const timer = setTimeout(() => loadOutcome().catch(() => {}), 1_000);
    return () => clearTimeout(timer);
  }, []);
  useUploadsOf(usePerson().id);
  return <Outlet />;
}
