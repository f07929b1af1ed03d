import { ApiError } from '../shared/api/apiError.ts';
import { loadStaffTexts } from '../shared/language/languages.ts';
import type { Role } from '../shared/session/accessToken.ts';
import { session } from '../shared/session/currentSession.ts';

/** Denies other roles the pages of a role, and loads its texts. The API enforces roles; the check here only fails earlier. */
export const requireRole =
  (...roles: Role[]) =>
  (): Promise<void> | undefined => {
    const state = session.state();
    if ('person' in state && !roles.includes(state.person.role))
      throw new ApiError(403, 'Unauthorized Access');
    return roles.includes('user') ? undefined : loadStaffTexts();
  };
