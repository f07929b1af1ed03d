import { unique } from '@gradeway/test/fixtures';
import type { HttpClient } from '@gradeway/test/httpClient';
import { type LimitedTokens, limitedTokens } from '@gradeway/test/limitedToken';
import { inject } from 'vitest';
import { scopes } from '../../shared/src/auth/scopes.ts';
import { asAdmin, callAs } from './fixtures.ts';

const serviceAccounts = '/api/v3/admin/service-accounts';

const { directory } = inject('system');
let signer: Promise<LimitedTokens> | undefined;

/** A client with a signed token of an account, for courses, homework and quiz. Only on a local system. */
export async function signedClient(...claims: Parameters<LimitedTokens>): Promise<HttpClient> {
  signer ??= limitedTokens(directory ?? '');
  return callAs((await signer)(...claims));
}

/** A client with every scope and the role of an administrator that is limited to these courses. */
export async function limitedTo(courseIds: number[]): Promise<HttpClient> {
  const { status, body } = await (await asAdmin()).post(serviceAccounts, {
    ...{ name: `Program ${unique()}`, scopes, course_ids: courseIds },
  });
  if (status !== 201) throw new Error(`creating a service account returned ${status}`);
  return callAs(body.data.token);
}
