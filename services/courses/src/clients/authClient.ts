import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { GrpcClient } from '@gradeway/shared/grpc/client';

/** What courses asks of auth beside names. Out of reach is AppError `unavailable`. */
export function createAuthClient(client: GrpcClient<AuthServiceClient>) {
  return {
    /** A live account as of this moment, in the form of its events; undefined when there is none. */
    async findUser(userId: number): Promise<UserState | undefined> {
      const { users } = await client.call('getUsers', { userIds: [userId] });
      const user = users.find((each) => each.userId === userId);
      return (
        user && {
          user_id: user.userId,
          first_name: user.firstName,
          last_name: user.lastName,
          email: user.email || null,
          role: user.role,
          is_blocked: user.isBlocked,
          revision: user.revision,
        }
      );
    },
  };
}

export type AuthClient = ReturnType<typeof createAuthClient>;
