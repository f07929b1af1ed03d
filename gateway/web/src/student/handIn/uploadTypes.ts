import type { Kind } from '../../shared/api/workTypes.ts';
import type { KeptReceipt } from './receipt.ts';

/** Files being uploaded. They stay on the device until a response arrives, and survive a reload. */
export interface PendingUpload {
  /** Unique for each user and quiz or homework. */
  id: string;
  personId: number;
  kind: Kind;
  itemId: number;
  /** The same for every attempt, so that the files count only once. */
  idempotencyKey: string;
  path: string;
  fields: Record<string, string>;
  fileField: 'file' | 'files';
  files: { name: string; blob: Blob }[];
  createdAt: number;
}

export type UploadState =
  | { status: 'sending'; sent: number; total: number }
  /** `until` is a `performance.now()` time; null when waiting for another event. */
  | {
      status: 'waiting';
      because: 'connection' | 'busy' | 'login' | 'turn';
      until: number | null;
      total: number;
    }
  | { status: 'refused'; message: string }
  | { status: 'done'; receipt: KeptReceipt };

export const uploadId = (personId: number, kind: Kind, itemId: number): string =>
  `${personId}.${kind}.${itemId}`;

export const isUnderWay = (state: UploadState | undefined): boolean =>
  state?.status === 'sending' || state?.status === 'waiting';
