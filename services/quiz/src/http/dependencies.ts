import type { AnnotatedPdfs } from '@gradeway/shared/annotatedPdf/annotatedPdfs';
import type { EventAuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { VerifyToken } from '@gradeway/shared/auth/accessToken';
import type { IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import type { PdfChecker } from '@gradeway/shared/files/pdfChecker';
import type { SendReceipt } from '@gradeway/shared/files/receipts';
import type { ReceivedForm } from '@gradeway/shared/files/receiveForm';
import type { UrlSigner } from '@gradeway/shared/files/signedUrl';
import type { FormRequest } from '@gradeway/shared/files/uploadAdmission';
import type { GraderDependencies } from '@gradeway/shared/grading/dependencies';
import type { PublicUrl } from '@gradeway/shared/http/publicUrl';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Request, Response } from 'express';
import type { Sequelize } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { AttemptStartRepository } from '../data/attemptStartRepository.ts';
import type { QuizPages } from '../data/quizPages.ts';
import type { QuizRepository } from '../data/quizRepository.ts';
import type { SubmissionQueries } from '../data/submissionQueries.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';

/** The dependencies of the routes. */
export interface Dependencies {
  log: Logger;
  health: Health;
  /** The keys shared with the gateway, which signs when it received an upload. */
  gatewayKeys: readonly string[];
  verify: VerifyToken;
  sequelize: Sequelize;
  quizzes: QuizRepository;
  quizPages: QuizPages;
  attemptStarts: AttemptStartRepository;
  submissions: SubmissionRepository;
  submissionQueries: SubmissionQueries;
  userProjection: UserProjection;
  courses: CoursesClient;
  files: FileLibrary;
  /** Annotated PDFs of submissions. */
  annotated: AnnotatedPdfs;
  /** What graders' routes need. */
  grading: GraderDependencies;
  outbox: Outbox;
  audit: EventAuditTrail;
  idempotency: IdempotencyStore;
  sendReceipt: SendReceipt;
  pdf: PdfChecker;
  /** How many replaced files of a submission keep their bytes. */
  replacedFilesKept: number;
  /** Whether the submission window starts at the student's `start_at` and not at the recorded start. */
  trustClientClock: boolean;
  clock: Clock;
  publicUrl: PublicUrl;
  signer: UrlSigner;
  fileUrls(req: Request): FileUrls;
  /** Reads a multipart form with at most one PDF, in the field `file`. */
  receiveForm(req: Request, res: Response, request: FormRequest): Promise<ReceivedForm>;
}
