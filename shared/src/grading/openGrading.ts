import type { Sequelize } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import type { IdempotencyStore } from '../database/idempotencyStore.ts';
import type { ListReads } from '../database/listReads.ts';
import type { Outbox } from '../events/outbox.ts';
import type { PdfMeasurer } from '../files/pdfMeasurer.ts';
import { AllowanceRepository } from '../items/allowanceRepository.ts';
import { EveryoneRepository } from '../items/everyoneRepository.ts';
import { ReleaseRepository } from '../items/releaseRepository.ts';
import type { Logger } from '../process/logger.ts';
import { AnswerClaimRepository } from '../questions/answerClaimRepository.ts';
import { AnswerHistoryRepository } from '../questions/answerHistoryRepository.ts';
import { AnswerQueueRepository } from '../questions/answerQueueRepository.ts';
import { AnswerRegradeRepository } from '../questions/answerRegradeRepository.ts';
import { AnswerRepository } from '../questions/answerRepository.ts';
import { AnswerStatisticsRepository } from '../questions/answerStatisticsRepository.ts';
import { AnswerWriter } from '../questions/answerWriter.ts';
import { GroupRepository } from '../questions/groups/groupRepository.ts';
import { OutlinedSubmissions } from '../questions/outline/outlinedSubmissions.ts';
import { QuestionSheets } from '../questions/outline/questionSheets.ts';
import { OutlineRepository } from '../questions/outlineRepository.ts';
import { declareReviews } from '../questions/reviews/reviewMetrics.ts';
import type { ReviewRepository } from '../questions/reviews/reviewRepository.ts';
import { SubmissionSettler } from '../questions/submissionSettler.ts';
import type { ClaimRepository } from './claimRepository.ts';
import type { GraderDependencies, GraderOptions } from './dependencies.ts';
import { DetailRepository } from './detailRepository.ts';
import { GradableRepository } from './gradableRepository.ts';
import type { GradedKind } from './gradedKind.ts';
import { FileSubmissionRepository } from './gradesFile/fileSubmissionRepository.ts';
import { GradesFileRepository } from './gradesFile/gradesFileRepository.ts';
import { GradeWriter } from './gradeWriter.ts';
import { declareGradings } from './gradingMetrics.ts';
import { HistoryRepository } from './historyRepository.ts';
import { Pages } from './pages.ts';
import { QueueRepository } from './queueRepository.ts';
import { RegradeRepository } from './regradeRepository.ts';
import { itemRubrics, questionRubrics, RubricRepository } from './rubricRepository.ts';
import { StatisticsRepository } from './statisticsRepository.ts';

interface Options extends GraderOptions {
  kind: GradedKind;
  sequelize: Sequelize;
  lists: ListReads;
  claims: ClaimRepository;
  reviews: ReviewRepository;
  /** How long a claim of a grader lasts, in milliseconds. */
  claimTtl: number;
  outbox: Outbox;
  audit: EventAuditTrail;
  idempotency: IdempotencyStore;
  measurer: PdfMeasurer;
  log: Logger;
}

/** Creates the dependencies of the grading routes, for the tables of one service. */
export function openGrading(options: Options): GraderDependencies {
  const { kind, sequelize, lists, claimTtl, measurer, log } = options;
  const { tables } = kind;
  declareGradings();
  declareReviews();
  const details = new DetailRepository(sequelize, tables);
  const answers = new AnswerRepository(sequelize);
  return {
    ...options,
    allowances: new AllowanceRepository(sequelize, lists, tables),
    details,
    everyone: new EveryoneRepository(lists, tables),
    fileSubmissions: new FileSubmissionRepository(sequelize, tables),
    gradesFiles: new GradesFileRepository(sequelize),
    gradable: new GradableRepository(sequelize, tables),
    pages: new Pages({ details, measurer, log }),
    queue: new QueueRepository(lists, tables),
    history: new HistoryRepository(lists, tables),
    statistics: new StatisticsRepository(lists, tables),
    writer: new GradeWriter(sequelize, tables),
    answerWriter: new AnswerWriter(sequelize),
    settler: new SubmissionSettler(sequelize, kind),
    outlines: new OutlineRepository(sequelize),
    outlined: new OutlinedSubmissions(sequelize, tables),
    sheets: new QuestionSheets(sequelize, tables),
    answerRegrades: new AnswerRegradeRepository(sequelize, tables),
    questionRubrics: new RubricRepository(sequelize, questionRubrics),
    answers,
    groups: new GroupRepository(sequelize, lists),
    answerQueue: new AnswerQueueRepository(lists, tables),
    answerHistory: new AnswerHistoryRepository(lists),
    answerStatistics: new AnswerStatisticsRepository(lists),
    answerClaims: new AnswerClaimRepository(sequelize, answers, claimTtl),
    releases: new ReleaseRepository(sequelize, tables),
    rubrics: new RubricRepository(sequelize, itemRubrics),
    regrades: new RegradeRepository(sequelize, tables),
  };
}
