import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { GrpcClient } from '@gradeway/shared/grpc/client';

/** Looks up users and sessions in auth. Calls throw AppError `unavailable` if auth is unreachable. */
export function createAuthClient(client: GrpcClient<AuthServiceClient>) {
  return {
    /** Whether the session's user re-entered the password within the last ten minutes. */
    async isReauthenticated(sessionId: number): Promise<boolean> {
      return (await client.call('checkReauthentication', { sessionId })).isReauthenticated;
    },

    /**
     * Returns an account's current state in the form of its events; undefined if it does not exist, or is a service
     * account, which can neither enroll nor teach.
     */
    async findUser(userId: number): Promise<UserState | undefined> {
      const { users } = await client.call('getUsers', { userIds: [userId] });
      const user = users.find((each) => each.userId === userId && each.role !== 'service');
      return (
        user && {
          user_id: user.userId,
          first_name: user.firstName,
          last_name: user.lastName,
          email: user.email || null,
          ...(user.mobile === undefined ? {} : { mobile: user.mobile || null }),
          role: user.role,
          is_blocked: user.isBlocked,
          revision: user.revision,
        }
      );
    },
  };
}

export type AuthClient = ReturnType<typeof createAuthClient>;
