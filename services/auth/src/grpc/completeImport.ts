import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { completeImport as complete } from '../domain/completeImport.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseImportId } from './parseImportId.ts';

/** Applies a reserved import to the accounts. */
export const completeImport =
  (dependencies: RpcDependencies): Rpcs<AuthServiceHandlers>['CompleteImport'] =>
  async ({ importId }) => {
    await complete(dependencies, parseImportId(importId));
    return {};
  };
