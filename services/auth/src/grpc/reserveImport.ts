import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { reserveImport as reserve } from '../domain/reserveImport.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseImportId } from './parseImportId.ts';

/** Reserves the accounts and addresses of a planned import. */
export const reserveImport =
  (dependencies: RpcDependencies): Rpcs<AuthServiceHandlers>['ReserveImport'] =>
  async ({ importId }) => ({
    isReserved: await reserve(dependencies, parseImportId(importId)),
  });
