import { AuthService } from '@gradeway/proto/auth';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { settings } from './config.ts';
import { CourseRepository } from './data/courseRepository.ts';
import { defineModels } from './data/models.ts';
import { StudentRepository, selectReferencedUsers } from './data/studentRepository.ts';

/**
 * Fetches all names from auth, copies them into the roster, and counts the students of every course again. Safe at any time,
 * because an older revision never overwrites a newer one. To restore grades and the titles of quizzes, run the same command of
 * homework and quiz.
 */
await runCommand('courses: projections', settings, async ({ config, log, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'courses projections', pool: 2 });
  onStop('the database', () => sequelize.close());
  const { authGrpc: address, serviceSecret: secret } = config;
  const auth = createGrpcClient(AuthService, { address, secret, caller: 'courses', callee: 'auth' });
  onStop('the connection to auth', () => auth.close());

  const userProjection = new UserProjection({ sequelize, auth, log, referenced: selectReferencedUsers });
  onStop('the user projection', () => userProjection.close());
  const names = await userProjection.rebuild();
  await new StudentRepository(sequelize).copyNames();
  const counts = await new CourseRepository(sequelize, defineModels(sequelize)).correctStudentCounts();
  return `courses: ${names} names fetched, ${counts} student counts corrected`;
});
