import { runProcess } from '@gradeway/shared/process/runProcess';
import { openAuthenticatedService } from '@gradeway/shared/service/openAuthenticatedService';
import { openCalendar } from './calendar/openCalendar.ts';
import { createAuthClient } from './clients/authClient.ts';
import { settings } from './config.ts';
import { ClassRepository } from './data/classRepository.ts';
import { CoursePeopleRepository } from './data/coursePeopleRepository.ts';
import { CourseRepository } from './data/courseRepository.ts';
import { EnrollmentRepository } from './data/enrollmentRepository.ts';
import { GradeRepository } from './data/gradeRepository.ts';
import { defineModels } from './data/models.ts';
import { PaidStudentRepository } from './data/paidStudentRepository.ts';
import { StudentRepository, selectUsersWithoutName } from './data/studentRepository.ts';
import { createReauthenticationGuard } from './domain/requireReauthentication.ts';
import { onHomeworkGraded, onHomeworkUngraded } from './events/homeworkHandlers.ts';
import { onQuizGraded, onQuizUngraded } from './events/quizHandlers.ts';
import { onUserChanged, onUserDeleted } from './events/userHandlers.ts';
import { openExport } from './export/openExport.ts';
import { GridRepository } from './gradebook/data/gridRepository.ts';
import { OwnGradeRepository } from './gradebook/data/ownGradeRepository.ts';
import { ProjectionRepository } from './gradebook/data/projectionRepository.ts';
import {
  onAllowanceChanged,
  onHomeworkChanged,
  onHomeworkSubmission,
  onQuizChanged,
  onQuizSubmission,
} from './gradebook/events/itemHandlers.ts';
import { coursesService } from './grpc/server.ts';
import { createApp } from './http/app.ts';
import { openImport } from './import/openImport.ts';
import { openNotifications } from './notifications/openNotifications.ts';
import { openPersonalData } from './personalData/openPersonalData.ts';
import { openTeaching } from './teaching/openTeaching.ts';
import { openWebhooks } from './webhooks/openWebhooks.ts';

await runProcess('courses', settings, async (context) => {
  const { config, log, health } = context;
  const service = await openAuthenticatedService(context, 'courses', {
    migrations: new URL('../migrations/', import.meta.url),
    referencedUsers: selectUsersWithoutName,
  });
  const { sequelize, lists, broker, outbox, audit, verify, auth, userProjection, clock, publicUrl } = service;
  const models = defineModels(sequelize);
  const courses = new CourseRepository(sequelize, models);
  const classes = new ClassRepository(models);
  const enrollments = new EnrollmentRepository(sequelize, models);
  const students = new StudentRepository(sequelize, lists);
  const coursePeople = new CoursePeopleRepository(sequelize);
  const paidStudents = new PaidStudentRepository(sequelize);
  const grades = new GradeRepository(sequelize);
  const ownGrades = new OwnGradeRepository(lists);
  const grid = new GridRepository(sequelize);
  const teaching = openTeaching(context, sequelize);
  const { instructors, accommodations, comments } = teaching;

  const authClient = createAuthClient(auth);
  const calendar = openCalendar({ sequelize, audit, auth: authClient });
  const grading = { sequelize, grades, userProjection, log };
  const gradebook = { sequelize, projections: new ProjectionRepository(sequelize) };
  await service.consume({
    'homework.allowance.changed.v1': onAllowanceChanged('homework', gradebook),
    'homework.changed.v1': onHomeworkChanged(gradebook),
    'homework.submission.graded.v1': onHomeworkGraded(grading),
    'homework.submission.lateness.changed.v1': onHomeworkSubmission(gradebook),
    'homework.submission.submitted.v1': onHomeworkSubmission(gradebook),
    'homework.submission.ungraded.v1': onHomeworkUngraded(grading),
    'quiz.allowance.changed.v1': onAllowanceChanged('quiz', gradebook),
    'quiz.changed.v1': onQuizChanged(gradebook),
    'quiz.submission.graded.v1': onQuizGraded(grading),
    'quiz.submission.lateness.changed.v1': onQuizSubmission(gradebook),
    'quiz.submission.submitted.v1': onQuizSubmission(gradebook),
    'quiz.submission.ungraded.v1': onQuizUngraded(grading),
    'user.changed.v1': onUserChanged({ userProjection, instructors, outbox }),
    'user.deleted.v1': onUserDeleted({
      userProjection,
      courses,
      enrollments,
      instructors,
      accommodations,
      comments,
      calendars: calendar.calendars,
      outbox,
    }),
  });

  const features = {
    exports: openExport(context),
    teaching,
    calendar,
    webhooks: await openWebhooks(context, { sequelize, broker, audit }),
    notifications: await openNotifications(context, { sequelize, broker, auth: authClient, clock }),
    imports: await openImport(context, { sequelize, outbox, audit, auth }),
  };

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
    ownGrades,
    grid,
    userProjection,
    outbox,
    audit,
    auth: authClient,
    requireReauthentication: createReauthenticationGuard(authClient, config.requiresReauthentication),
    clock,
    publicUrl,
  };
  await service.serveGrpc(
    coursesService({ courses, classes, enrollments, instructors, coursePeople, paidStudents }),
    openPersonalData(context, { sequelize, broker, outbox, courses, enrollments, ...teaching }),
  );
  await service.serveHttp(createApp(dependencies, features), 10 * 60_000);
});
