import type { Request, Response } from 'express';
import type { Sequelize } from 'sequelize';
import type { AnnotatedPdfs } from '../annotatedPdf/annotatedPdfs.ts';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import type { VerifyToken } from '../auth/accessToken.ts';
import type { IdempotencyStore } from '../database/idempotencyStore.ts';
import type { Outbox } from '../events/outbox.ts';
import type { FileLibrary } from '../files/fileLibrary.ts';
import type { FileUrls } from '../files/fileRoutes.ts';
import type { PdfChecker } from '../files/pdfChecker.ts';
import type { SendReceipt } from '../files/receipts.ts';
import type { ReceivedForm } from '../files/receiveForm.ts';
import type { UrlSigner } from '../files/signedUrl.ts';
import type { FormRequest } from '../files/uploadAdmission.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import type { PublicUrl } from '../http/publicUrl.ts';
import type { Clock } from '../http/timestamps.ts';
import type { Health } from '../process/health.ts';
import type { Logger } from '../process/logger.ts';
import type { UserProjection } from '../projections/userProjection.ts';
import type { CoursesClient } from './coursesClient.ts';

/** The dependencies of use cases that both services with submissions have. */
export interface SubmissionUseCases {
  sequelize: Sequelize;
  userProjection: UserProjection;
  courses: CoursesClient;
  files: FileLibrary;
  pdf: PdfChecker;
  outbox: Outbox;
  audit: EventAuditTrail;
  idempotency: IdempotencyStore;
  grading: GraderDependencies;
  /** Maximum number of replaced files of a submission that keep their bytes. */
  replacedFilesKept: number;
}

/** The dependencies of routes that both services with submissions have. */
export interface SubmissionRoutes extends SubmissionUseCases {
  log: Logger;
  health: Health;
  /** The keys shared with the gateway, which signs the time at which it received an upload. */
  gatewayKeys: readonly string[];
  verify: VerifyToken;
  /** The annotated PDFs of submissions. */
  annotated: AnnotatedPdfs;
  sendReceipt: SendReceipt;
  clock: Clock;
  publicUrl: PublicUrl;
  signer: UrlSigner;
  fileUrls(req: Request): FileUrls;
}

/** Reads a multipart form of PDFs. */
export type ReceivePdfs = (req: Request, res: Response, request: FormRequest) => Promise<ReceivedForm>;
