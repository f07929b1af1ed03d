import type { BatchHandler } from '@gradeway/shared/events/consumeEvents';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import { endTeaching, type RemovalDependencies } from '../teaching/domain/removeInstructor.ts';

interface Dependencies extends RemovalDependencies {
  userProjection: UserProjection;
}

/** Applies the names first, which locks the rows of the accounts: see assignInstructor.ts. */
export const onUserChanged = (dependencies: Dependencies): BatchHandler<'user.changed.v1'> => ({
  async applyAll(users, transaction) {
    await dependencies.userProjection.applyChanges(users, transaction);
    const others = users.filter(({ role }) => role !== 'instructor');
    await endTeaching(
      dependencies,
      others.map(({ user_id, revision }) => ({ userId: user_id, revision })),
      transaction,
    );
  },
});
