import { AuthService, type AuthServiceHandlers } from '@gradeway/proto/auth';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { type GrpcServer, listenGrpc } from '@gradeway/shared/grpc/server';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { signInRpcs } from '../singleSignOn/grpc/signInRpcs.ts';
import { checkReauthentication } from './checkReauthentication.ts';
import { completeImport } from './completeImport.ts';
import type { RpcDependencies } from './dependencies.ts';
import { findImportedUsers } from './findImportedUsers.ts';
import { findUsers } from './findUsers.ts';
import { getUsers } from './getUsers.ts';
import { listRevocations } from './listRevocations.ts';
import { planImport } from './planImport.ts';
import { recordTokenUse } from './recordTokenUse.ts';
import { releaseImport } from './releaseImport.ts';
import { reserveImport } from './reserveImport.ts';
import { signReceipt } from './signReceipt.ts';
import { watchRevocations } from './watchRevocations.ts';

interface Options {
  host: string;
  port: number;
  secret: ServiceSecret;
  log: Logger;
  health: Health;
}

/** Serves the RPCs of proto/gradeway/auth/v1/auth.proto. */
export function serveGrpc(options: Options, dependencies: RpcDependencies): Promise<GrpcServer> {
  return listenGrpc<AuthServiceHandlers>({
    ...options,
    name: 'auth',
    service: {
      definition: AuthService.service,
      callers: {
        GetUsers: ['courses', 'homework', 'quiz'],
        FindUsers: ['courses'],
        ListRevocations: ['gateway', 'courses', 'homework', 'quiz'],
        WatchRevocations: ['gateway', 'courses', 'homework', 'quiz'],
        CheckReauthentication: ['courses'],
        RecordTokenUse: ['gateway'],
        SignReceipt: ['homework', 'quiz'],
        PlanImport: ['courses'],
        FindImportedUsers: ['courses'],
        ReserveImport: ['courses'],
        ReleaseImport: ['courses'],
        CompleteImport: ['courses'],
        StartSignIn: ['gateway'],
        FinishSignIn: ['gateway'],
        CompleteSignIn: ['gateway'],
        GetSignOutUrl: ['gateway'],
      },
      rpcs: {
        GetUsers: getUsers(dependencies),
        FindUsers: findUsers(dependencies),
        ListRevocations: listRevocations(dependencies),
        WatchRevocations: watchRevocations(dependencies),
        CheckReauthentication: checkReauthentication(dependencies),
        RecordTokenUse: recordTokenUse(dependencies),
        SignReceipt: signReceipt(dependencies),
        PlanImport: planImport(dependencies),
        FindImportedUsers: findImportedUsers(dependencies),
        ReserveImport: reserveImport(dependencies),
        ReleaseImport: releaseImport(dependencies),
        CompleteImport: completeImport(dependencies),
        ...signInRpcs(dependencies),
      },
    },
  });
}
