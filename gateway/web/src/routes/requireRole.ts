import type { Role } from '../shared/access/accessToken.ts';
import { session } from '../shared/access/currentSession.ts';
import { ApiError } from '../shared/api/apiError.ts';

/** Refuses the pages of a role to other roles. The interface enforces it; this only shows it sooner. */
export const requireRole =
  (...roles: Role[]) =>
  (): void => {
    const state = session.state();
    if ('person' in state && !roles.includes(state.person.role))
      throw new ApiError(403, 'Unauthorized Access');
  };
