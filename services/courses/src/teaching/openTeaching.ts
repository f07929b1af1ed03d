import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import { connectSubmissionCounts } from './clients/submissionCountsClient.ts';
import { AccommodationRepository } from './data/accommodationRepository.ts';
import { CommentRepository } from './data/commentRepository.ts';
import { GradingCourseRepository } from './data/gradingCourseRepository.ts';
import { InstructorRepository } from './data/instructorRepository.ts';
import type { TeachingDependencies } from './dependencies.ts';

interface Config {
  homeworkGrpc: string;
  quizGrpc: string;
  serviceSecret: ServiceSecret;
}

/** Opens the repositories and clients for instructors, graders' courses and comment banks. */
export function openTeaching(
  { config, onStop }: ProcessContext<Config>,
  sequelize: Sequelize,
): TeachingDependencies {
  const addresses = { homework: config.homeworkGrpc, quiz: config.quizGrpc };
  const submissionCounts = connectSubmissionCounts({ addresses, secret: config.serviceSecret });
  onStop('the connections for counts of submissions', () => submissionCounts.close());
  return {
    instructors: new InstructorRepository(sequelize),
    gradingCourses: new GradingCourseRepository(sequelize),
    accommodations: new AccommodationRepository(sequelize),
    comments: new CommentRepository(sequelize),
    submissionCounts,
  };
}
