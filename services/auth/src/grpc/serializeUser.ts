import type { User } from '../domain/user.ts';

export const serializeUser = ({ id, firstName, lastName, email, role, isBlocked, revision }: User) => ({
  userId: id,
  firstName,
  lastName,
  email: email ?? '',
  role,
  isBlocked,
  revision,
});
