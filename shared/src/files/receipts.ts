import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { Response } from 'express';
import type { GrpcClient } from '../grpc/client.ts';
import { toTimestamp } from '../grpc/timestamp.ts';
import type { Logger } from '../process/logger.ts';

/** Content of a receipt: the submission, its files and the time of receipt. Times are RFC 3339. */
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

/** Sets the response header `Submission-Receipt` to the signed receipt of a committed upload. */
export type SendReceipt = (res: Response, attestation: Attestation) => Promise<void>;

/**
 * Auth signs receipts with the keys of access tokens. The upload is already committed, so if auth does not respond
 * within a second, the response is sent without a receipt.
 */
export function createReceiptSender({ auth, log }: Dependencies): SendReceipt {
  return async (res, { receivedAt, deadline, ...attestation }) => {
    try {
      const times = {
        receivedAt: toTimestamp(new Date(receivedAt)),
        deadline: deadline === null ? null : toTimestamp(new Date(deadline)),
      };
      const { receipt } = await auth.call('signReceipt', { ...attestation, ...times }, { timeoutMs: 1_000 });
      res.set('Submission-Receipt', receipt);
    } catch (error) {
      const { submissionId } = attestation;
      log.warn({ err: error, submission_id: submissionId }, 'could not obtain a receipt for an upload');
    }
  };
}
