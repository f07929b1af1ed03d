import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { releaseImport as release } from '../domain/releaseImport.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseImportId } from './parseImportId.ts';

/** Releases the reservations of an import. */
export const releaseImport =
  (dependencies: RpcDependencies): Rpcs<AuthServiceHandlers>['ReleaseImport'] =>
  async ({ importId }) => {
    await release(dependencies, parseImportId(importId));
    return {};
  };
