import type { CopyFile } from '@gradeway/shared/files/copiedFile';
import type { ReceivePdfs, SubmissionRoutes } from '@gradeway/shared/submissions/dependencies';
import type { AttemptStartRepository } from '../data/attemptStartRepository.ts';
import type { QuizPages } from '../data/quizPages.ts';
import type { SubmissionQueries } from '../data/submissionQueries.ts';
import type { UseCases } from '../domain/dependencies.ts';

/** The dependencies of the routes. */
export interface Dependencies extends SubmissionRoutes, UseCases {
  quizPages: QuizPages;
  attemptStarts: AttemptStartRepository;
  submissionQueries: SubmissionQueries;
  /** Reads a form with at most one PDF, in the field `file`. */
  receiveForm: ReceivePdfs;
  copyFile: CopyFile;
}
