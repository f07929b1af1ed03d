import type { AuthServiceClient, User } from '@gradeway/proto/auth';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { GrpcClient } from '@gradeway/shared/grpc/client';

/** Looks up users and sessions in auth. Calls throw AppError `unavailable` if auth is unreachable. */
export function createAuthClient(client: GrpcClient<AuthServiceClient>) {
  return {
    /** Whether the session's user re-entered the password within the last ten minutes. */
    async isReauthenticated(sessionId: number): Promise<boolean> {
      return (await client.call('checkReauthentication', { sessionId })).isReauthenticated;
    },

    /** Returns the current state of accounts in the form of their events. Omits those that do not exist. */
    async findUsers(userIds: number[]): Promise<Map<number, UserState>> {
      const { users } = await client.call('getUsers', { userIds });
      return new Map(users.map((user) => [user.userId, stateOf(user)]));
    },

    /**
     * Returns an account's current state in the form of its events; undefined if it does not exist, or is a service
     * account, which can neither enroll nor teach.
     */
    async findUser(userId: number): Promise<UserState | undefined> {
      const user = (await this.findUsers([userId])).get(userId);
      return user?.role === 'service' ? undefined : user;
    },
  };
}

const stateOf = (user: User): UserState => ({
  user_id: user.userId,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email || null,
  ...(user.mobile === undefined ? {} : { mobile: user.mobile || null }),
  role: user.role,
  is_blocked: user.isBlocked,
  revision: user.revision,
});

export type AuthClient = ReturnType<typeof createAuthClient>;
