import type { ErasePersonRequest, PersonalDataServiceHandlers } from '@gradeway/proto/personal';
import type { Sequelize } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import { query } from '../database/query.ts';
import type { Broker } from '../events/broker.ts';
import type { FileLibrary } from '../files/fileLibrary.ts';
import { deleteGradeFiles } from '../grading/personalGrading.ts';
import type { GrpcService } from '../grpc/server.ts';
import { eraseName, markErased } from '../personalData/erasedPeople.ts';
import { eraseFromBroker, eraseFromOutbox, sweepDeadLetters } from '../personalData/eraseEvents.ts';
import { deleteFileRows, eraseFileBytes } from '../personalData/eraseFiles.ts';
import { personalDataService } from '../personalData/personalDataService.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { type PersonalSubmissions, personalFiles, personalRecords } from './personalSubmissions.ts';
import { streamPersonFiles } from './streamPersonFiles.ts';

interface Options {
  service: 'homework' | 'quiz';
  sequelize: Sequelize;
  broker: Broker;
  files: FileLibrary;
  personalData: PersonalSubmissions;
}

const forgetResults = 'DELETE FROM idempotency_keys WHERE user_id = $1';

/** Serves the RPCs that auth uses to export and erase personal data in a service that stores submissions. */
export function openPersonalSubmissions(
  { log, onStop }: Pick<ProcessContext<unknown>, 'log' | 'onStop'>,
  { service, sequelize, broker, files, personalData }: Options,
): GrpcService<PersonalDataServiceHandlers> {
  const deadLetters = { sequelize, broker, consumers: [service] };
  onStop('the sweep of dead letters', sweepDeadLetters({ ...deadLetters, log }));

  async function* erase(person: ErasePersonRequest): AsyncGenerator<void> {
    const { userId } = person;
    await markErased(sequelize, userId, person.keepGrades);
    await inTransaction(sequelize, async (transaction) => {
      // Erases the name first, because that locks the person, as the handlers of auth's events do.
      await eraseName(sequelize, userId, transaction);
      await query(sequelize, { sql: deleteGradeFiles, values: [userId], transaction });
      const fileIds = await personalData.erase(sequelize, person, transaction);
      await deleteFileRows(sequelize, fileIds, userId, transaction);
      await query(sequelize, { sql: forgetResults, values: [userId], transaction });
    });
    yield;
    yield* eraseFileBytes(sequelize, files.store, userId);
    yield* eraseFromOutbox(sequelize, userId);
    yield* eraseFromBroker(deadLetters, person.email);
  }

  return personalDataService({
    records: (userId) => personalRecords(sequelize, personalData, userId),
    files: (userId, signal) =>
      streamPersonFiles(files, personalFiles(sequelize, personalData, userId), signal),
    erase,
  });
}
