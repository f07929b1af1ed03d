import type { ProtoGrpcType } from './generated/submissions.ts';
import { loadPackage } from './loadPackage.ts';

export type {
  ExportSubmissionsResponse,
  ExportSubmissionsResponse__Output as ExportSubmissionsPart,
} from './generated/gradeway/submissions/v1/ExportSubmissionsResponse.ts';
export type { GetRubricResponse__Output as GetRubricResponse } from './generated/gradeway/submissions/v1/GetRubricResponse.ts';
export type { SubmissionCount__Output as SubmissionCount } from './generated/gradeway/submissions/v1/SubmissionCount.ts';
export type {
  SubmissionsServiceClient,
  SubmissionsServiceHandlers,
} from './generated/gradeway/submissions/v1/SubmissionsService.ts';
export type { SubmittedFile__Output as SubmittedFile } from './generated/gradeway/submissions/v1/SubmittedFile.ts';

/** Client constructor of SubmissionsService; `.service` is its definition for a server. */
export const SubmissionsService = loadPackage<ProtoGrpcType>('gradeway/submissions/v1/submissions.proto')
  .gradeway.submissions.v1.SubmissionsService;
