import type { AuthServiceHandlers } from '@gradeway/proto/auth';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { Receipts } from '../tokens/receipts.ts';

interface Timestamp {
  seconds: number;
  nanos: number;
}

/** Signs what a service attests of an upload that it has committed. */
export function signReceipt(receipts: Receipts): Rpcs<AuthServiceHandlers>['SignReceipt'] {
  return async ({ kind, submissionId, studentId, files, receivedAt, deadline }) => ({
    receipt: receipts.sign({
      ...{ kind, submissionId, studentId, files },
      receivedAt: toText(receivedAt) ?? '',
      deadline: toText(deadline),
    }),
  });
}

const toText = (time: Timestamp | null): string | null =>
  time && new Date(Number(time.seconds) * 1000 + time.nanos / 1e6).toISOString();
