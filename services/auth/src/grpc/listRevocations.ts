import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { ListedRevocation, RevocationRepository } from '../data/revocationRepository.ts';

/** Pages through what no longer counts although its signature is good. */
export function listRevocations(
  revocations: RevocationRepository,
): Rpcs<AuthServiceHandlers>['ListRevocations'] {
  return async ({ cursor }) => {
    const page = await revocations.page(cursor);
    return { ...page, revocations: page.revocations.map(message) };
  };
}

const message = ({ sessionId, tokenId, expiresAt }: ListedRevocation) => ({
  ...(sessionId === null ? { tokenId: tokenId ?? '' } : { sessionId }),
  expiresAt: { seconds: Math.ceil(expiresAt.getTime() / 1000), nanos: 0 },
});
