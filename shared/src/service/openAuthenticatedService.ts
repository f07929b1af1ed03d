import type { AuthServiceClient } from '@gradeway/proto/auth';
import { createAuditTrail, type EventAuditTrail } from '../audit/auditTrail.ts';
import type { VerifyToken } from '../auth/accessToken.ts';
import { openTokenVerifier } from '../auth/openTokenVerifier.ts';
import { type ListReads, openListReads } from '../database/listReads.ts';
import type { GrpcClient } from '../grpc/client.ts';
import { createPublicUrl, type PublicUrl } from '../http/publicUrl.ts';
import { type Clock, createClock } from '../http/timestamps.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { UserProjection } from '../projections/userProjection.ts';
import { type CoreConfig, openServiceCore, type ServiceCore, type ServiceName } from './openServiceCore.ts';

export interface AuthenticatedConfig extends CoreConfig {
  databaseReadUrl: string | undefined;
  authGrpc: string;
  jwksUrl: string;
  tokenIssuer: string;
  tokenAudience: string;
  revocationsInterval: number;
  publicUrl: string | undefined;
  timeZone: string;
}

export interface AuthenticatedService<Name extends ServiceName> extends ServiceCore<Name> {
  lists: ListReads;
  audit: EventAuditTrail;
  verify: VerifyToken;
  auth: GrpcClient<AuthServiceClient>;
  userProjection: UserProjection;
  publicUrl: PublicUrl;
  clock: Clock;
}

/**
 * Opens the core of a service that verifies auth's tokens, copies the names of auth's users and reads lists from a replica.
 * @param referencedUsers a query for the `user_id` of every account that the service's rows refer to
 */
export async function openAuthenticatedService<Name extends Exclude<ServiceName, 'auth'>>(
  context: ProcessContext<AuthenticatedConfig>,
  name: Name,
  { migrations, referencedUsers }: { migrations: URL; referencedUsers: string },
): Promise<AuthenticatedService<Name>> {
  const { config, log, onStop } = context;
  const core = await openServiceCore(context, name, migrations);
  const { sequelize, broker, outbox } = core;
  const lists = openListReads(context, name, sequelize);
  const { verify, auth } = openTokenVerifier(context, name, broker);
  const userProjection = new UserProjection({ sequelize, auth, log, referenced: referencedUsers });
  onStop('the user projection', () => userProjection.close());
  return {
    ...core,
    lists,
    audit: createAuditTrail(name, outbox),
    verify,
    auth,
    userProjection,
    publicUrl: createPublicUrl(config.publicUrl),
    clock: createClock(config.timeZone),
  };
}
