import type { CopyFile } from '@gradeway/shared/files/copiedFile';
import type { ReceivePdfs, SubmissionRoutes } from '@gradeway/shared/submissions/dependencies';
import type { HomeworkPages } from '../data/homeworkPages.ts';
import type { SubmissionQueries } from '../data/submissionQueries.ts';
import type { UseCases } from '../domain/dependencies.ts';

/** The dependencies of the routes. */
export interface Dependencies extends SubmissionRoutes, UseCases {
  homeworkPages: HomeworkPages;
  submissionQueries: SubmissionQueries;
  /** Reads a form with at most one PDF, in the field `file`. */
  receiveAssignment: ReceivePdfs;
  copyFile: CopyFile;
  /** Reads a form with at most ten PDFs, in the field `files`. */
  receiveSubmission: ReceivePdfs;
}
