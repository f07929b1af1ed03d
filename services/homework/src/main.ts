import { createAuditTrail } from '@gradeway/shared/audit/auditTrail';
import { openTokenVerifier } from '@gradeway/shared/auth/openTokenVerifier';
import { keysWith } from '@gradeway/shared/config/serviceKeys';
import { IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import { openListReads } from '@gradeway/shared/database/listReads';
import { openServiceDatabase } from '@gradeway/shared/database/openServiceDatabase';
import { consumeEvents } from '@gradeway/shared/events/consumeEvents';
import { openBrokerWithOutbox } from '@gradeway/shared/events/openBrokerWithOutbox';
import { createFileUrls } from '@gradeway/shared/files/fileRoutes';
import { createReceiptSender } from '@gradeway/shared/files/receipts';
import { receiveForm } from '@gradeway/shared/files/receiveForm';
import { createAnnotatedUrls } from '@gradeway/shared/grading/annotatedUrls';
import { ClaimRepository } from '@gradeway/shared/grading/claimRepository';
import { onInstructorRemoved, userHandlers } from '@gradeway/shared/grading/endClaims';
import { openGrading } from '@gradeway/shared/grading/openGrading';
import { listenGrpc } from '@gradeway/shared/grpc/server';
import { startAdminServer } from '@gradeway/shared/http/adminServer';
import { createPublicUrl } from '@gradeway/shared/http/publicUrl';
import { listen } from '@gradeway/shared/http/server';
import { createClock } from '@gradeway/shared/http/timestamps';
import { runProcess } from '@gradeway/shared/process/runProcess';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { scheduleRetention } from '@gradeway/shared/retention/retention';
import { createCopies } from '@gradeway/shared/submissions/annotatedCopies';
import { openPersonalSubmissions } from '@gradeway/shared/submissions/openPersonalSubmissions';
import { openServiceFiles } from '@gradeway/shared/submissions/openServiceFiles';
import { submissionsService } from '@gradeway/shared/submissions/submissionsService';
import { connectCourses } from './clients/coursesClient.ts';
import { settings } from './config.ts';
import { countSubmissions } from './data/countSubmissions.ts';
import { courseSubmissionFiles } from './data/courseSubmissionFiles.ts';
import { gradingTables } from './data/gradingTables.ts';
import { HomeworkPages } from './data/homeworkPages.ts';
import { HomeworkRepository } from './data/homeworkRepository.ts';
import { defineModels } from './data/models.ts';
import { personalFiles, personalRecords } from './data/personalRecords.ts';
import { erasePerson } from './data/personEraser.ts';
import { ProjectionRepository } from './data/projectionRepository.ts';
import { retentionQueries } from './data/retentionQueries.ts';
import { SubmissionQueries } from './data/submissionQueries.ts';
import { referencedUsers, SubmissionRepository } from './data/submissionRepository.ts';
import { onClassChanged } from './events/onClassChanged.ts';
import { onClassDeleted } from './events/onClassDeleted.ts';
import { onCourseChanged } from './events/onCourseChanged.ts';
import { onCourseDeleted } from './events/onCourseDeleted.ts';
import { createApp, requestTimeoutMs } from './http/app.ts';
import { gradedHomeworks } from './http/gradedHomeworks.ts';

await runProcess('homework', settings, async (context) => {
  const { config, log, health, onStop } = context;
  const { host, serviceSecret: secret } = config;

  const adminServer = await startAdminServer(health, host, config.adminPort);
  onStop('the admin port', () => adminServer.close());

  const sequelize = await openServiceDatabase(
    context,
    'homework',
    new URL('../migrations/', import.meta.url),
  );
  const lists = openListReads(context, 'homework', sequelize);
  const models = defineModels(sequelize);
  const { broker, outbox } = await openBrokerWithOutbox(context, sequelize);
  const audit = createAuditTrail('homework', outbox);

  const { verify, auth } = openTokenVerifier(context, 'homework', broker);
  const courses = connectCourses({ address: config.coursesGrpc, secret });
  onStop('the connection to courses', () => courses.close());

  const userProjection = new UserProjection({ sequelize, auth, log, referenced: referencedUsers });
  onStop('the user projection', () => userProjection.close());
  const claims = new ClaimRepository(sequelize, gradingTables, config.claimTtl);
  const projections = new ProjectionRepository(sequelize);
  const stopConsuming = await consumeEvents({
    consumer: 'homework',
    broker,
    sequelize,
    log,
    handlers: {
      ...userHandlers(userProjection, claims),
      'course.instructor.removed.v1': onInstructorRemoved(claims),
      'class.changed.v1': onClassChanged(projections),
      'class.deleted.v1': onClassDeleted(projections),
      'course.changed.v1': onCourseChanged(projections),
      'course.deleted.v1': onCourseDeleted(projections),
    },
  });
  onStop('the event consumer', stopConsuming);

  const { files, pdf, measurer, drawer, annotated, uploadLimits, uploadQueue, signer } =
    await openServiceFiles(context, 'homework', sequelize);
  const retention = { sequelize, queries: retentionQueries, periods: config, files, log };
  onStop(
    'the retention of files',
    scheduleRetention({
      ...retention,
      existingCourses: async (ids) => (await courses.courses(ids)).map(({ id: courseId }) => ({ courseId })),
    }),
  );
  const idempotency = new IdempotencyStore(sequelize, log);
  onStop('the idempotency store', () => idempotency.close());
  const publicUrl = createPublicUrl(config.publicUrl);
  const clock = createClock(config.timeZone);
  const fileUrls = createFileUrls('homework', signer, publicUrl);
  const grading = openGrading({
    kind: gradedHomeworks,
    sequelize,
    lists,
    claims,
    outbox,
    audit,
    idempotency,
    measurer,
    log,
    verify,
    teaching: courses,
    userProjection,
    publicUrl,
    courseTitles: (courseIds) => courses.titles(courseIds),
    fileUrls,
    annotatedUrls: createAnnotatedUrls('homework', signer, publicUrl),
  });
  const pdfForm = {
    directory: config.uploadDirectory,
    maxBytes: config.maxUploadBytes,
    pdfsOnly: true,
    limits: uploadLimits,
    queue: uploadQueue,
  };
  const assignmentForm = { ...pdfForm, field: 'file', maxFiles: 1 };
  const submissionForm = { ...pdfForm, field: 'files', maxFiles: 10 };
  const app = createApp({
    log,
    health,
    gatewayKeys: keysWith('gateway', secret),
    verify,
    sequelize,
    projections,
    userProjection,
    courses,
    files,
    outbox,
    audit,
    grading,
    annotated,
    idempotency,
    pdf,
    replacedFilesKept: config.replacedFilesKept,
    publicUrl,
    signer,
    sendReceipt: createReceiptSender({ auth, log }),
    homeworks: new HomeworkRepository(sequelize, models, lists),
    homeworkPages: new HomeworkPages(lists),
    submissions: new SubmissionRepository(sequelize, models),
    submissionQueries: new SubmissionQueries(sequelize, lists),
    clock,
    fileUrls,
    receiveAssignment: (req, res, request) => receiveForm(req, res, { ...assignmentForm, ...request }),
    receiveSubmission: (req, res, request) => receiveForm(req, res, { ...submissionForm, ...request }),
  });

  const personalData = openPersonalSubmissions(context, {
    service: 'homework',
    sequelize,
    broker,
    files,
    records: (userId) => personalRecords(sequelize, userId),
    submittedFiles: (userId) => personalFiles(sequelize, userId),
    eraseRecords: (person, transaction) => erasePerson(sequelize, person, transaction),
  });
  const grpc = await listenGrpc({
    name: 'homework',
    host,
    port: config.grpcPort,
    secret,
    log,
    health,
    service: submissionsService(files, {
      files: (courseId) => courseSubmissionFiles(sequelize, courseId),
      counts: (courseIds) => countSubmissions(sequelize, courseIds),
      drawCopy: createCopies({ details: grading.details, drawer }),
    }),
    alsoServes: [personalData],
  });
  onStop('the gRPC server', () => grpc.close());
  const http = await listen(app, { host, port: config.port, requestTimeoutMs, log });
  onStop('the HTTP server', () => http.close());
});
