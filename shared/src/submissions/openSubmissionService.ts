import type { ConfigOf } from '../config/readConfig.ts';
import { keysWith } from '../config/serviceKeys.ts';
import { maxTableBytes } from '../csv/tableFile.ts';
import { IdempotencyStore } from '../database/idempotencyStore.ts';
import type { EventHandlers } from '../events/consumeEvents.ts';
import { type CopyFile, createFileCopier } from '../files/copiedFile.ts';
import { createFileUrls } from '../files/fileRoutes.ts';
import { createReceiptSender } from '../files/receipts.ts';
import { receiveForm } from '../files/receiveForm.ts';
import { createAnnotatedUrls } from '../grading/annotatedUrls.ts';
import { ClaimRepository } from '../grading/claimRepository.ts';
import { type ClaimEvents, claimHandlers } from '../grading/endClaims.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import { openGrading } from '../grading/openGrading.ts';
import type { Clock } from '../http/timestamps.ts';
import { scheduleReleases } from '../items/scheduleReleases.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { ReviewRepository } from '../questions/reviews/reviewRepository.ts';
import { type RetentionQueries, scheduleRetention } from '../retention/retention.ts';
import { type AuthenticatedService, openAuthenticatedService } from '../service/openAuthenticatedService.ts';
import { connectCourses } from './coursesClient.ts';
import type { ReceivePdfs, SubmissionRoutes } from './dependencies.ts';
import { openServiceFiles, type ServiceFiles } from './openServiceFiles.ts';
import { referencedUsers } from './referencedUsers.ts';
import { connectRubrics } from './rubricsClient.ts';
import type { submissionSettings } from './submissionSettings.ts';

export type SubmissionServiceName = 'homework' | 'quiz';

export type SubmissionContext = ProcessContext<ConfigOf<typeof submissionSettings>>;

interface Options<Name extends SubmissionServiceName> {
  name: Name;
  migrations: URL;
  kind: (clock: Clock) => GradedKind;
  retentionQueries: RetentionQueries;
  /** The service of the other kind, with its gRPC address. */
  other: { name: SubmissionServiceName; address: string };
}

export interface SubmissionService<Name extends SubmissionServiceName>
  extends Omit<AuthenticatedService<Name>, 'consume'> {
  name: Name;
  renderer: ServiceFiles['renderer'];
  dependencies: SubmissionRoutes;
  /** Consumes events. The handlers that both services have are added to the given ones. */
  consume(handlers: Omit<EventHandlers<Name>, ClaimEvents>): Promise<void>;
  /** Returns a reader of forms with at most this many PDFs, all in one field. */
  receivePdfs(field: string, maxFiles: number): ReceivePdfs;
  copyFile: CopyFile;
}

/** Opens the parts that homework and quiz share: the connection to courses, files and their retention, and grading. */
export async function openSubmissionService<Name extends SubmissionServiceName>(
  context: SubmissionContext,
  { name, migrations, kind: createKind, retentionQueries, other }: Options<Name>,
): Promise<SubmissionService<Name>> {
  const { config, log, health, onStop } = context;
  const { serviceSecret: secret } = config;
  const service = await openAuthenticatedService(context, name, { migrations, referencedUsers });
  const { sequelize, auth, userProjection, publicUrl, clock } = service;
  const courses = connectCourses({ caller: name, address: config.coursesGrpc, secret });
  onStop('the connection to courses', () => courses.close());
  const rubrics = connectRubrics({ caller: name, callee: other.name, address: other.address, secret });
  onStop('the connection for rubrics', () => rubrics.close());

  const { renderer, measurer, uploadLimits, uploadQueue, ...stored } = await openServiceFiles(
    context,
    name,
    sequelize,
  );
  const { files, signer } = stored;
  const existingCourses = async (ids: number[]) =>
    (await courses.courses(ids)).map(({ id: courseId }) => ({ courseId }));
  const retention = { sequelize, queries: retentionQueries, periods: config, files, existingCourses, log };
  onStop('the retention of files', scheduleRetention(retention));
  const idempotency = new IdempotencyStore(sequelize, log);
  onStop('the idempotency store', () => idempotency.close());

  const form = {
    directory: config.uploadDirectory,
    maxBytes: config.maxUploadBytes,
    limits: uploadLimits,
    queue: uploadQueue,
  };
  const kind = createKind(clock);
  const claims = new ClaimRepository(sequelize, kind.tables, config.claimTtl);
  const reviews = new ReviewRepository(sequelize, service.lists, kind.tables, config.claimTtl);
  const fileUrls = createFileUrls(name, signer, publicUrl);
  const shared = { ...service, ...stored, courses, idempotency, log, fileUrls };
  const grading = openGrading({
    ...shared,
    kind,
    claims,
    reviews,
    claimTtl: config.claimTtl,
    measurer,
    teaching: courses,
    courseTitles: courses.titles,
    countStudents: courses.countStudents,
    timeZone: config.timeZone,
    enrolledUsers: courses.enrolledUsers,
    students: courses.students,
    receiveTable: (req, res, request) =>
      receiveForm(req, res, { ...form, field: 'file', maxFiles: 1, maxBytes: maxTableBytes, ...request }),
    annotatedUrls: createAnnotatedUrls(name, signer, publicUrl),
    findRubricOfOtherKind: rubrics.find,
  });
  onStop('the purge of grade files', grading.gradesFiles.purgeRegularly(log));
  onStop('the scheduled releases', scheduleReleases({ ...grading, log }));
  return {
    ...service,
    name,
    renderer,
    dependencies: {
      ...shared,
      health,
      grading,
      gatewayKeys: keysWith('gateway', secret),
      replacedFilesKept: config.replacedFilesKept,
      sendReceipt: createReceiptSender({ auth, log }),
    },
    consume: (handlers) =>
      service.consume({
        ...claimHandlers(userProjection, [claims, reviews]),
        ...handlers,
      } as EventHandlers<Name>),
    copyFile: createFileCopier(files, config.uploadDirectory),
    receivePdfs: (field, maxFiles) => (req, res, request) =>
      receiveForm(req, res, { ...form, pdfsOnly: true, field, maxFiles, ...request }),
  };
}
