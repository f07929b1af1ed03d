import type { Request, Response } from 'express';
import type { VerifyToken } from '../auth/accessToken.ts';
import type { FileUrls } from '../files/fileRoutes.ts';
import type { ReceivedForm } from '../files/receiveForm.ts';
import type { FormRequest } from '../files/uploadAdmission.ts';
import type { PublicUrl } from '../http/publicUrl.ts';
import type { AllowanceRepository } from '../items/allowanceRepository.ts';
import type { EveryoneRepository } from '../items/everyoneRepository.ts';
import type { UserProjection } from '../projections/userProjection.ts';
import type { AnswerClaimRepository } from '../questions/answerClaimRepository.ts';
import type { AnswerHistoryRepository } from '../questions/answerHistoryRepository.ts';
import type { AnswerQueueRepository } from '../questions/answerQueueRepository.ts';
import type { AnswerRepository } from '../questions/answerRepository.ts';
import type { AnswerStatisticsRepository } from '../questions/answerStatisticsRepository.ts';
import type { GroupRepository } from '../questions/groups/groupRepository.ts';
import type { OutlineDependencies } from '../questions/outline/outlineDependencies.ts';
import type { QuestionSheets } from '../questions/outline/questionSheets.ts';
import type { ReviewRepository } from '../questions/reviews/reviewRepository.ts';
import type { StudentsPage, StudentsRequest } from '../submissions/coursesClient.ts';
import type { RubricDependencies } from './changeRubric.ts';
import type { ClaimRepository } from './claimRepository.ts';
import type { GradableRepository } from './gradableRepository.ts';
import type { GraderGradingDependencies } from './gradeByGrader.ts';
import type { FileSubmissionRepository } from './gradesFile/fileSubmissionRepository.ts';
import type { GradesFileRepository } from './gradesFile/gradesFileRepository.ts';
import type { HistoryRepository } from './historyRepository.ts';
import type { QueueRepository } from './queueRepository.ts';
import type { RegradeRepository } from './regradeRepository.ts';
import type { FindRubric } from './sharedRubric.ts';
import type { StatisticsRepository } from './statisticsRepository.ts';
import type { Teaching } from './teaching.ts';

/**
 * Signed URLs of annotated PDFs, by submission (D31). A student's URLs are signed for that student, because they stop
 * working while grades are hidden.
 */
export type AnnotatedUrls = (submissionId: number, studentId?: number) => string;

/** The dependencies of graders' routes that differ between services. */
export interface GraderOptions {
  verify: VerifyToken;
  teaching: Teaching;
  userProjection: UserProjection;
  publicUrl: PublicUrl;
  /** Returns the titles of the courses that exist. At most 200 ids. */
  courseTitles(courseIds: number[]): Promise<Map<number, string>>;
  /** Counts the paid enrollments of a course. */
  countStudents(courseId: number): Promise<number>;
  /** The school's time zone, an IANA name. */
  timeZone: string;
  /** Returns which of these users are enrolled in a course, paid or not. At most 1,000 ids. */
  enrolledUsers(courseId: number, userIds: number[]): Promise<number[]>;
  /** Returns a page of the paid enrollments of a course, with the counts of the groups. */
  students(request: StudentsRequest): Promise<StudentsPage>;
  /** Reads a form with one CSV file, in the field `file`. */
  receiveTable(req: Request, res: Response, request: FormRequest): Promise<ReceivedForm>;
  fileUrls(req: Request): FileUrls;
  annotatedUrls(req: Request): AnnotatedUrls;
  /** Finds the rubrics of the other kind, in the service that has them. */
  findRubricOfOtherKind: FindRubric;
}

/** The dependencies of graders' routes. */
export interface GraderDependencies
  extends GraderOptions,
    GraderGradingDependencies,
    RubricDependencies,
    OutlineDependencies {
  allowances: AllowanceRepository;
  everyone: EveryoneRepository;
  fileSubmissions: FileSubmissionRepository;
  gradesFiles: GradesFileRepository;
  gradable: GradableRepository;
  queue: QueueRepository;
  claims: ClaimRepository;
  history: HistoryRepository;
  statistics: StatisticsRepository;
  regrades: RegradeRepository;
  sheets: QuestionSheets;
  reviews: ReviewRepository;
  groups: GroupRepository;
  answers: AnswerRepository;
  answerClaims: AnswerClaimRepository;
  answerStatistics: AnswerStatisticsRepository;
  answerHistory: AnswerHistoryRepository;
  answerQueue: AnswerQueueRepository;
}
