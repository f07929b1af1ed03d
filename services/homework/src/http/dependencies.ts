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
import type { HomeworkPages } from '../data/homeworkPages.ts';
import type { HomeworkRepository } from '../data/homeworkRepository.ts';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
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
  homeworks: HomeworkRepository;
  homeworkPages: HomeworkPages;
  submissions: SubmissionRepository;
  submissionQueries: SubmissionQueries;
  projections: ProjectionRepository;
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
  clock: Clock;
  publicUrl: PublicUrl;
  signer: UrlSigner;
  fileUrls(req: Request): FileUrls;
  /** Reads a multipart form with at most one PDF, in the field `file`. */
  receiveAssignment(req: Request, res: Response, request: FormRequest): Promise<ReceivedForm>;
  /** Reads a multipart form with at most ten PDFs, in the field `files`. */
  receiveSubmission(req: Request, res: Response, request: FormRequest): Promise<ReceivedForm>;
}
