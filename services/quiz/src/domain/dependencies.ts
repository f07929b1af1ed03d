import type { SubmissionUseCases } from '@gradeway/shared/submissions/dependencies';
import type { QuizRepository } from '../data/quizRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';

/** The dependencies of the use cases. Each picks its own. */
export interface UseCases extends SubmissionUseCases {
  quizzes: QuizRepository;
  submissions: SubmissionRepository;
  /** Whether the submission window starts at the student's `start_at` instead of the recorded start. */
  trustClientClock: boolean;
}
