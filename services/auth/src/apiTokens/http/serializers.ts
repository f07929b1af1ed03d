import { formatUtc } from '@gradeway/shared/http/timestamps';
import { deletedUserName } from '@gradeway/shared/projections/deletedUserName';
import type { ApiToken } from '../domain/apiToken.ts';
import type { ServiceAccount } from '../domain/serviceAccount.ts';

export const tokenView = ({ id, name, createdAt, expiresAt, lastUsedAt }: ApiToken) => ({
  id,
  name,
  created_at: formatUtc(createdAt),
  expires_at: formatUtc(expiresAt),
  last_used_at: lastUsedAt && formatUtc(lastUsedAt),
});

export const personalTokenView = (token: ApiToken) => ({ ...tokenView(token), scopes: token.scopes });

export const serviceAccountView = (account: ServiceAccount, tokens: ApiToken[]) => ({
  id: account.id,
  name: account.name,
  scopes: account.scopes,
  course_ids: account.courseIds,
  is_disabled: account.isDisabled,
  created_by: { id: account.createdBy, name: account.creatorName ?? deletedUserName },
  created_at: formatUtc(account.createdAt),
  tokens: tokens.map(tokenView),
});
