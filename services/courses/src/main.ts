import { createAuditTrail } from '@gradeway/shared/audit/auditTrail';
import { openTokenVerifier } from '@gradeway/shared/auth/openTokenVerifier';
import { openListReads } from '@gradeway/shared/database/listReads';
import { openServiceDatabase } from '@gradeway/shared/database/openServiceDatabase';
import { consumeEvents } from '@gradeway/shared/events/consumeEvents';
import { openBrokerWithOutbox } from '@gradeway/shared/events/openBrokerWithOutbox';
import { listenGrpc } from '@gradeway/shared/grpc/server';
import { startAdminServer } from '@gradeway/shared/http/adminServer';
import { createPublicUrl } from '@gradeway/shared/http/publicUrl';
import { listen } from '@gradeway/shared/http/server';
import { createClock } from '@gradeway/shared/http/timestamps';
import { runProcess } from '@gradeway/shared/process/runProcess';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { createAuthClient } from './clients/authClient.ts';
import { settings } from './config.ts';
import { ClassRepository } from './data/classRepository.ts';
import { CourseRepository } from './data/courseRepository.ts';
import { EnrollmentRepository } from './data/enrollmentRepository.ts';
import { GradeRepository } from './data/gradeRepository.ts';
import { defineModels } from './data/models.ts';
import { StudentRepository, selectUsersWithoutName } from './data/studentRepository.ts';
import { createReauthenticationGuard } from './domain/requireReauthentication.ts';
import { onHomeworkGraded, onHomeworkUngraded } from './events/homeworkHandlers.ts';
import { onQuizChanged, onQuizGraded, onQuizUngraded } from './events/quizHandlers.ts';
import { onUserChanged, onUserDeleted } from './events/userHandlers.ts';
import { openExport } from './export/openExport.ts';
import { coursesService } from './grpc/server.ts';
import { createApp } from './http/app.ts';
import { openImport } from './import/openImport.ts';
import { openPersonalData } from './personalData/openPersonalData.ts';
import { openTeaching } from './teaching/openTeaching.ts';
import { openWebhooks } from './webhooks/openWebhooks.ts';

await runProcess('courses', settings, async (context) => {
  const { config, log, health, onStop } = context;
  const { host, serviceSecret: secret } = config;

  const adminServer = await startAdminServer(health, host, config.adminPort);
  onStop('the admin port', () => adminServer.close());

  const sequelize = await openServiceDatabase(context, 'courses', new URL('../migrations/', import.meta.url));
  const lists = openListReads(context, 'courses', sequelize);
  const models = defineModels(sequelize);
  const courses = new CourseRepository(sequelize, models);
  const classes = new ClassRepository(models);
  const enrollments = new EnrollmentRepository(sequelize, models);
  const students = new StudentRepository(sequelize, lists);
  const grades = new GradeRepository(sequelize, lists);
  const { broker, outbox } = await openBrokerWithOutbox(context, sequelize);
  const audit = createAuditTrail('courses', outbox);

  const { verify, auth } = openTokenVerifier(context, 'courses', broker);
  const userProjection = new UserProjection({ sequelize, auth, log, referenced: selectUsersWithoutName });
  onStop('the user projection', () => userProjection.close());

  const teaching = openTeaching(context, sequelize);
  const { instructors, comments } = teaching;

  const grading = { sequelize, grades, userProjection, log };
  const stopConsuming = await consumeEvents({
    consumer: 'courses',
    broker,
    sequelize,
    log,
    handlers: {
      'homework.submission.graded.v1': onHomeworkGraded(grading),
      'homework.submission.ungraded.v1': onHomeworkUngraded(grading),
      'quiz.submission.graded.v1': onQuizGraded(grading),
      'quiz.changed.v1': onQuizChanged(sequelize),
      'quiz.submission.ungraded.v1': onQuizUngraded(grading),
      'user.changed.v1': onUserChanged({ userProjection, instructors, outbox }),
      'user.deleted.v1': onUserDeleted({
        userProjection,
        courses,
        enrollments,
        instructors,
        comments,
        outbox,
      }),
    },
  });
  onStop('the event consumer', stopConsuming);

  const features = {
    exports: openExport(context),
    teaching,
    webhooks: await openWebhooks(context, { sequelize, broker, audit }),
    imports: await openImport(context, { sequelize, outbox, audit, auth }),
  };

  const authClient = createAuthClient(auth);
  const dependencies = {
    log,
    health,
    verify,
    sequelize,
    courses,
    classes,
    enrollments,
    students,
    grades,
    userProjection,
    outbox,
    audit,
    auth: authClient,
    requireReauthentication: createReauthenticationGuard(authClient, config.requiresReauthentication),
    clock: createClock(config.timeZone),
    publicUrl: createPublicUrl(config.publicUrl),
  };
  const grpc = await listenGrpc({
    name: 'courses',
    host,
    port: config.grpcPort,
    secret,
    log,
    health,
    service: coursesService({ courses, classes, enrollments, instructors }),
    alsoServes: [
      openPersonalData(context, { sequelize, broker, outbox, courses, enrollments, instructors, comments }),
    ],
  });
  onStop('the gRPC server', () => grpc.close());
  const app = createApp(dependencies, features);
  const http = await listen(app, { host, port: config.port, requestTimeoutMs: 10 * 60_000, log });
  onStop('the HTTP server', () => http.close());
});
