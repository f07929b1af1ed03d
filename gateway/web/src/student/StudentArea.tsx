import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePerson } from '../shared/session/currentSession.ts';
import { useUploadsOf } from './handIn/currentUploads.ts';
import { loadUploadOutcome } from './handIn/loadUploadOutcome.ts';

/** Wraps all student pages, so that uploads continue on whichever page is open. */
export function StudentArea() {
  useEffect(() => {
    const timer = setTimeout(() => loadUploadOutcome().catch(() => {}), 1_000);
    return () => clearTimeout(timer);
  }, []);
  useUploadsOf(usePerson().id);
  return <Outlet />;
}
