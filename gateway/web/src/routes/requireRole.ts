import type { Role } from '../shared/access/accessToken.ts';
import { session } from '../shared/access/currentSession.ts';
import { ApiError } from '../shared/api/apiError.ts';

/** Shows the pages of a role to nobody else. The interface decides; this only says it at once. */
export const requireRole =
  (...roles: Role[]) =>
  (): void => {
    const state = session.state();
    if ('person' in state && !roles.includes(state.person.role))
      throw new ApiError(403, 'Unauthorized Access');
  };
