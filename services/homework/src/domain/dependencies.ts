import type { SubmissionUseCases } from '@gradeway/shared/submissions/dependencies';
import type { HomeworkRepository } from '../data/homeworkRepository.ts';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';

/** The dependencies of the use cases. Each picks its own. */
export interface UseCases extends SubmissionUseCases {
  homeworks: HomeworkRepository;
  submissions: SubmissionRepository;
  projections: ProjectionRepository;
}
