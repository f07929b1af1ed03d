import type { Role } from '@gradeway/shared/auth/roles';
import { AppError } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { ApiToken, IssuedToken, TokenOwner } from './apiToken.ts';
import { tokenExpiry } from './tokenExpiry.ts';

export type IssueDependencies = Pick<ServiceDependencies, 'accessTokens' | 'apiTokens' | 'audit'>;

interface NewToken extends Pick<ApiToken, 'name' | 'scopes'> {
  role: Role;
  courseIds: number[] | null;
  expiresAt: Date | undefined;
}

const maxTokensOfOwner = 50;

/** Issues a token in the transaction that has locked its owner, and records it. */
export async function issueToken(
  { accessTokens, apiTokens, audit }: IssueDependencies,
  owner: TokenOwner,
  { name, scopes, role, courseIds, expiresAt }: NewToken,
  transaction: Transaction,
): Promise<IssuedToken> {
  const prepared = accessTokens.prepareUntil(tokenExpiry(expiresAt, new Date()));
  if ((await apiTokens.count(owner, transaction)) >= maxTokensOfOwner)
    throw new AppError('conflict', 'Too Many Tokens');
  const { text, keyId } = accessTokens.signForProgram(prepared, { owner, role, scopes, courseIds });
  const { tokenId, tokenExpiresAt } = prepared;
  const values = { tokenId, name, scopes, keyId, expiresAt: tokenExpiresAt };
  const token = await apiTokens.create(owner, values, transaction);
  await audit.record(
    {
      action: 'token.created',
      object: { type: 'token', id: token.id },
      changes: {
        // The entry omits the name, because it may contain anything the person typed.
        ...('serviceAccountId' in owner && { service_account_id: [null, owner.serviceAccountId] }),
        scopes: [null, scopes],
        expires_at: [null, tokenExpiresAt.toISOString()],
      },
    },
    transaction,
  );
  return { token, text };
}
