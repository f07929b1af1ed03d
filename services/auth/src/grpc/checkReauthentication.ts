import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Whether a session has re-authenticated recently enough for a sensitive request. */
export const checkReauthentication =
  ({ sessions }: RpcDependencies): Rpcs<AuthServiceHandlers>['CheckReauthentication'] =>
  async ({ sessionId }) => ({ isReauthenticated: await sessions.isReauthenticated(sessionId) });
