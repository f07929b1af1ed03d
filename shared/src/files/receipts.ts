import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { Response } from 'express';
import type { GrpcClient } from '../grpc/client.ts';
import type { Logger } from '../process/logger.ts';

/** What a receipt says of an upload: which files arrived when, for which submission. Times are RFC 3339. */
export interface Attestation {
  kind: 'quiz' | 'homework';
  submissionId: number;
  studentId: number;
  files: { sha256: string; size: number }[];
  receivedAt: string;
  deadline: string | null;
}

interface Dependencies {
  auth: GrpcClient<AuthServiceClient>;
  log: Logger;
}

/** Puts the signed receipt of a committed upload into the header of its answer. */
export type SendReceipt = (res: Response, attestation: Attestation) => Promise<void>;

/**
 * Receipts are signed by auth, with the keys of the access tokens. The upload is committed by then: when auth cannot
 * be reached in a second, the answer is without a receipt, but not another one.
 */
export function createReceipts({ auth, log }: Dependencies): SendReceipt {
  return async (res, { receivedAt, deadline, ...attestation }) => {
    try {
      const times = {
        receivedAt: timestamp(receivedAt),
        deadline: deadline === null ? null : timestamp(deadline),
      };
      const { receipt } = await auth.call('signReceipt', { ...attestation, ...times }, { timeoutMs: 1_000 });
      res.set('Submission-Receipt', receipt);
    } catch (error) {
      log.warn(
        { err: error, submission_id: attestation.submissionId },
        'an upload was answered without its receipt',
      );
    }
  };
}

function timestamp(time: string) {
  const ms = Date.parse(time);
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}
