import { AuthService } from '@gradeway/proto/auth';
import { openDatabase } from '@gradeway/shared/database';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { createGrpcClient } from '@gradeway/shared/grpcClient';
import { People } from '@gradeway/shared/people';
import { runCommand } from '@gradeway/shared/runCommand';
import { settings } from './config.ts';
import { defineModels } from './data/models.ts';
import { peopleReferenced, SubmissionRepository } from './data/submissionRepository.ts';
import { tellAllGrades } from './domain/tellAllGrades.ts';

/**
 * Fetches every name anew, and tells every grade again for those who keep them (the gradebook of courses). Safe
 * at any time: an older state never overwrites a newer one.
 */
await runCommand('quiz: projections', settings, async ({ config, log, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'quiz projections', pool: 2 });
  onStop('the database', () => sequelize.close());
  const { authGrpc: address, serviceSecret: secret } = config;
  const auth = createGrpcClient(AuthService, { address, secret, caller: 'quiz', callee: 'auth' });
  onStop('the connection to auth', () => auth.close());

  const people = new People({ sequelize, auth, log, referenced: peopleReferenced });
  onStop('the names', () => people.close());
  const names = await people.rebuild();

  // The relay of the running service publishes what is left in the outbox here.
  const outbox = createOutbox(sequelize, () => {});
  const submissions = new SubmissionRepository(sequelize, defineModels(sequelize));
  const grades = await tellAllGrades({ sequelize, submissions, outbox });
  return `quiz: ${names} names fetched, ${grades} grades told again`;
});
