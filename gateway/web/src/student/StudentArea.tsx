import { Outlet } from '@tanstack/react-router';
import { usePerson } from '../shared/access/currentSession.ts';
import { useUploadsOf } from './handIn/currentUploads.ts';

/** Around all pages of students: uploads go on whatever page is shown. */
export function StudentArea() {
  useUploadsOf(usePerson().id);
  return <Outlet />;
}
