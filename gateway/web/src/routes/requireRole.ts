import { ApiError } from '../shared/api/apiError.ts';
import type { Role } from '../shared/session/accessToken.ts';
import { session } from '../shared/session/currentSession.ts';

/** Denies other roles the pages of a role. The API enforces this; the check here only fails earlier. */
export const requireRole =
  (...roles: Role[]) =>
  (): void => {
    const state = session.state();
    if ('person' in state && !roles.includes(state.person.role))
      throw new ApiError(403, 'Unauthorized Access');
  };
