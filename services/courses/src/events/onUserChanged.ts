import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import { endTeaching, type RemovalDependencies } from '../teaching/domain/removeInstructor.ts';

interface Dependencies extends RemovalDependencies {
  userProjection: UserProjection;
}

/** Applies the name first, which locks the account's row: see assignInstructor.ts. */
export const onUserChanged =
  (dependencies: Dependencies): EventHandler<'user.changed.v1'> =>
  async (user, transaction) => {
    await dependencies.userProjection.eventHandlers['user.changed.v1'](user, transaction);
    if (user.role !== 'instructor') await endTeaching(dependencies, user.user_id, user.revision, transaction);
  };
