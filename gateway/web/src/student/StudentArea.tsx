import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePerson } from '../shared/session/currentSession.ts';
import { useUploadsOf } from './handIn/currentUploads.ts';
import { loadSendForm } from './handIn/loadSendForm.ts';
import { loadUploadOutcome } from './handIn/loadUploadOutcome.ts';

/** Wraps all student pages, so that uploads continue on whichever page is open. */
export function StudentArea() {
  useEffect(() => {
    const load = () => Promise.all([loadUploadOutcome(), loadSendForm()]).catch(() => {});
    const timer = setTimeout(load, 1_000);
    return () => clearTimeout(timer);
  }, []);
  useUploadsOf(usePerson().id);
  return <Outlet />;
}
