import type { PublishedUser } from '../apiTokens/domain/publishedState.ts';

export const serializeUser = ({
  id,
  firstName,
  lastName,
  email,
  mobile,
  role,
  isBlocked,
  revision,
}: PublishedUser) => ({
  userId: id,
  firstName,
  lastName,
  email: email ?? '',
  mobile: mobile ?? '',
  role,
  isBlocked,
  revision,
});
