import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import { invalid } from '@gradeway/shared/errors/appError';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { UserRepository } from '../data/userRepository.ts';
import { userMessage } from './serializeUser.ts';

const mostIds = 1_000;

/** Looks accounts up in one batch. */
export function getUsers(users: UserRepository): Rpcs<AuthServiceHandlers>['GetUsers'] {
  return async ({ userIds }) => {
    if (userIds.length > mostIds) throw invalid({ user_ids: [`At most ${mostIds} at once.`] });
    return { users: (await users.findMany(userIds)).map(userMessage) };
  };
}
