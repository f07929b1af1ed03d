import type { SubmissionCountsClient } from './clients/submissionCountsClient.ts';
import type { CommentRepository } from './data/commentRepository.ts';
import type { GradingCourseRepository } from './data/gradingCourseRepository.ts';
import type { InstructorRepository } from './data/instructorRepository.ts';

export interface TeachingDependencies {
  instructors: InstructorRepository;
  gradingCourses: GradingCourseRepository;
  comments: CommentRepository;
  submissionCounts: SubmissionCountsClient;
}
