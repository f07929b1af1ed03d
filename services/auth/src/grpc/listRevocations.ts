import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { ListedRevocation } from '../domain/revocation.ts';
import type { RpcDependencies } from './dependencies.ts';

/** Lists the sessions, tokens and signing keys that verifiers must reject, in pages. */
export const listRevocations =
  ({ revocations }: RpcDependencies): Rpcs<AuthServiceHandlers>['ListRevocations'] =>
  async ({ cursor }) => {
    const page = await revocations.page(cursor);
    return { ...page, revocations: page.revocations.map(serializeRevocation) };
  };

export const serializeRevocation = ({ sessionId, tokenId, keyId, expiresAt }: ListedRevocation) => ({
  ...(sessionId !== null && { sessionId }),
  ...(tokenId !== null && { tokenId }),
  ...(keyId !== null && { keyId }),
  expiresAt: { seconds: Math.ceil(expiresAt.getTime() / 1000), nanos: 0 },
});
