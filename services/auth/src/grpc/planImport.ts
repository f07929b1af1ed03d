import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { planImportBatch } from '../domain/planImportBatch.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseImportedUser } from './parseImportedUser.ts';
import { parseImportId } from './parseImportId.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';
import { serializePlannedUser } from './serializePlannedUser.ts';

/** Plans a batch of imported accounts and returns what the import would do with each. */
export const planImport =
  (dependencies: RpcDependencies): Rpcs<AuthServiceHandlers>['PlanImport'] =>
  async ({ importId, expiresAt, users }) => {
    requireBatchLimit('users', users, 200);
    const parsed = users.map(parseImportedUser);
    const planned = await planImportBatch(dependencies, {
      importId: parseImportId(importId),
      expiresAt: new Date(Number(expiresAt?.seconds ?? 0) * 1000),
      users: parsed.flatMap(({ imported }) => imported ?? []),
    });
    const refused = parsed.flatMap(({ refusal }) => refusal ?? []);
    return { users: [...planned.map(serializePlannedUser), ...refused] };
  };
