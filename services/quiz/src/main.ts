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
import { AttemptStartRepository } from './data/attemptStartRepository.ts';
import { countSubmissions } from './data/countSubmissions.ts';
import { courseSubmissionFiles } from './data/courseSubmissionFiles.ts';
import { gradingTables } from './data/gradingTables.ts';
import { defineModels } from './data/models.ts';
import { personalFiles, personalRecords } from './data/personalRecords.ts';
import { erasePerson } from './data/personEraser.ts';
import { QuizPages } from './data/quizPages.ts';
import { QuizRepository } from './data/quizRepository.ts';
import { retentionQueries } from './data/retentionQueries.ts';
import { SubmissionQueries } from './data/submissionQueries.ts';
import { referencedUsers, SubmissionRepository } from './data/submissionRepository.ts';
import { createApp, requestTimeoutMs } from './http/app.ts';
import { gradedQuizzes } from './http/gradedQuizzes.ts';

await runProcess('quiz', settings, async (context) => {
  const { config, log, health, onStop } = context;
  const { host, serviceSecret: secret } = config;

  const adminServer = await startAdminServer(health, host, config.adminPort);
  onStop('the admin port', () => adminServer.close());

  const sequelize = await openServiceDatabase(context, 'quiz', new URL('../migrations/', import.meta.url));
  const lists = openListReads(context, 'quiz', sequelize);
  const models = defineModels(sequelize);
  const { broker, outbox } = await openBrokerWithOutbox(context, sequelize);
  const audit = createAuditTrail('quiz', outbox);

  const { verify, auth } = openTokenVerifier(context, 'quiz', broker);
  const courses = connectCourses({ address: config.coursesGrpc, secret });
  onStop('the connection to courses', () => courses.close());

  const userProjection = new UserProjection({ sequelize, auth, log, referenced: referencedUsers });
  onStop('the user projection', () => userProjection.close());
  const claims = new ClaimRepository(sequelize, gradingTables, config.claimTtl);
  const handlers = {
    ...userHandlers(userProjection, claims),
    'course.instructor.removed.v1': onInstructorRemoved(claims),
  };
  const stopConsuming = await consumeEvents({ consumer: 'quiz', broker, sequelize, log, handlers });
  onStop('the event consumer', stopConsuming);

  const { files, pdf, measurer, drawer, annotated, uploadLimits, uploadQueue, signer } =
    await openServiceFiles(context, 'quiz', sequelize);
  const retention = { sequelize, queries: retentionQueries, periods: config, files, log };
  onStop(
    'the retention of files',
    scheduleRetention({ ...retention, existingCourses: (ids) => courses.existing(ids) }),
  );
  const idempotency = new IdempotencyStore(sequelize, log);
  onStop('the idempotency store', () => idempotency.close());
  const publicUrl = createPublicUrl(config.publicUrl);
  const clock = createClock(config.timeZone);
  const fileUrls = createFileUrls('quiz', signer, publicUrl);
  const grading = openGrading({
    kind: gradedQuizzes(clock),
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
    annotatedUrls: createAnnotatedUrls('quiz', signer, publicUrl),
  });
  const form = {
    directory: config.uploadDirectory,
    field: 'file',
    maxFiles: 1,
    maxBytes: config.maxUploadBytes,
    pdfsOnly: true,
    limits: uploadLimits,
    queue: uploadQueue,
  };
  const app = createApp({
    log,
    health,
    gatewayKeys: keysWith('gateway', secret),
    verify,
    sequelize,
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
    quizzes: new QuizRepository(sequelize, models, lists),
    quizPages: new QuizPages(lists),
    attemptStarts: new AttemptStartRepository(sequelize),
    submissions: new SubmissionRepository(sequelize, models, lists),
    submissionQueries: new SubmissionQueries(sequelize),
    trustClientClock: config.trustClientClock,
    clock,
    fileUrls,
    receiveForm: (req, res, request) => receiveForm(req, res, { ...form, ...request }),
  });

  const personalData = openPersonalSubmissions(context, {
    service: 'quiz',
    sequelize,
    broker,
    files,
    records: (userId) => personalRecords(sequelize, userId),
    submittedFiles: (userId) => personalFiles(sequelize, userId),
    eraseRecords: (person, transaction) => erasePerson(sequelize, person, transaction),
  });
  const grpc = await listenGrpc({
    name: 'quiz',
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
