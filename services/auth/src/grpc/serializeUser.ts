import type { User } from '../domain/user.ts';

export const serializeUser = ({
  id,
  firstName,
  lastName,
  email,
  mobile,
  role,
  isBlocked,
  revision,
}: User) => ({
  userId: id,
  firstName,
  lastName,
  email: email ?? '',
  mobile: mobile ?? '',
  role,
  isBlocked,
  revision,
});
