import { AuthService, type AuthServiceHandlers } from '@gradeway/proto/auth';
import { type GrpcServer, listenGrpc } from '@gradeway/shared/grpc/server';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import type { RevocationRepository } from '../data/revocationRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { Receipts } from '../tokens/receipts.ts';
import { getUsers } from './getUsers.ts';
import { listRevocations } from './listRevocations.ts';
import { type ImportDependencies, importRpcs } from './planImport.ts';
import { signReceipt } from './signReceipt.ts';

interface Options {
  host: string;
  port: number;
  secret: string;
  log: Logger;
  health: Health;
  users: UserRepository;
  revocations: RevocationRepository;
  receipts: Receipts;
  importing: ImportDependencies;
}

/** Serves what the other processes may ask of auth (proto/gradeway/auth/v1/auth.proto). */
export function serveGrpc({
  users,
  revocations,
  receipts,
  importing,
  ...options
}: Options): Promise<GrpcServer> {
  return listenGrpc<AuthServiceHandlers>({
    ...options,
    name: 'auth',
    service: {
      definition: AuthService.service,
      rpcs: {
        GetUsers: getUsers(users),
        ListRevocations: listRevocations(revocations),
        SignReceipt: signReceipt(receipts),
        ...importRpcs(importing),
      },
    },
  });
}
