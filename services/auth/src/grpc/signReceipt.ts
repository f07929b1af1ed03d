import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import { forbidden } from '@gradeway/shared/errors/appError';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

interface Timestamp {
  seconds: number;
  nanos: number;
}

/** Signs a receipt for an upload that the calling service has committed. A service attests only its own submissions. */
export const signReceipt =
  ({ receipts }: RpcDependencies): Rpcs<AuthServiceHandlers>['SignReceipt'] =>
  async ({ kind, submissionId, studentId, files, receivedAt, deadline }, caller) => {
    if (kind !== caller) throw forbidden();
    const receipt = receipts.sign({
      kind,
      submissionId,
      studentId,
      files,
      receivedAt: toIsoString(receivedAt) ?? '',
      deadline: toIsoString(deadline),
    });
    return { receipt };
  };

const toIsoString = (time: Timestamp | null): string | null =>
  time && new Date(Number(time.seconds) * 1000 + time.nanos / 1e6).toISOString();
