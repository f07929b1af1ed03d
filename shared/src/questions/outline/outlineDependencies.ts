import type { Sequelize } from 'sequelize';
import type { EventAuditTrail } from '../../audit/auditTrail.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { GradedKind } from '../../grading/gradedKind.ts';
import type { RubricRepository } from '../../grading/rubricRepository.ts';
import type { ReleaseRepository } from '../../items/releaseRepository.ts';
import type { AnswerRegradeRepository } from '../answerRegradeRepository.ts';
import type { AnswerWriter } from '../answerWriter.ts';
import type { OutlineRepository } from '../outlineRepository.ts';
import type { ReviewRepository } from '../reviews/reviewRepository.ts';
import type { SubmissionSettler } from '../submissionSettler.ts';
import type { OutlinedSubmissions } from './outlinedSubmissions.ts';

/** The dependencies of outline changes. */
export interface OutlineDependencies {
  sequelize: Sequelize;
  kind: GradedKind;
  outlines: OutlineRepository;
  outlined: OutlinedSubmissions;
  rubrics: RubricRepository;
  questionRubrics: RubricRepository;
  answerRegrades: AnswerRegradeRepository;
  answerWriter: AnswerWriter;
  settler: SubmissionSettler;
  reviews: ReviewRepository;
  releases: ReleaseRepository;
  outbox: Outbox;
  audit: EventAuditTrail;
}
