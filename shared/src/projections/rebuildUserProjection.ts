import { AuthService } from '@gradeway/proto/auth';
import type { Sequelize } from 'sequelize';
import type { ServiceSecret } from '../config/serviceKeys.ts';
import { createGrpcClient } from '../grpc/client.ts';
import type { ProcessName } from '../grpc/serviceCredential.ts';
import type { CommandContext } from '../process/runCommand.ts';
import { UserProjection } from './userProjection.ts';

/** Reloads every name from auth, in a maintenance command. Returns the number of names. */
export async function rebuildUserProjection(
  { config, log, onStop }: CommandContext<{ authGrpc: string; serviceSecret: ServiceSecret }>,
  { service, sequelize, referenced }: { service: ProcessName; sequelize: Sequelize; referenced: string },
): Promise<number> {
  const { authGrpc: address, serviceSecret: secret } = config;
  const auth = createGrpcClient(AuthService, { address, secret, caller: service, callee: 'auth' });
  onStop(() => auth.close());
  const users = new UserProjection({ sequelize, auth, log, referenced });
  onStop(() => users.close());
  return users.rebuild();
}
