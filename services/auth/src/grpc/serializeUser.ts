import type { User } from '../domain/user.ts';

/** An account as other services know it. */
export const userMessage = ({ id, firstName, lastName, email, role, isBlocked, revision }: User) => ({
  ...{ userId: id, firstName, lastName, role, isBlocked, revision },
  email: email ?? '',
});
