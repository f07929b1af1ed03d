import type { SubmissionCountsClient } from './clients/submissionCountsClient.ts';
import type { AccommodationRepository } from './data/accommodationRepository.ts';
import type { CommentRepository } from './data/commentRepository.ts';
import type { GradingCourseRepository } from './data/gradingCourseRepository.ts';
import type { InstructorRepository } from './data/instructorRepository.ts';

export interface TeachingDependencies {
  instructors: InstructorRepository;
  gradingCourses: GradingCourseRepository;
  accommodations: AccommodationRepository;
  comments: CommentRepository;
  submissionCounts: SubmissionCountsClient;
}
