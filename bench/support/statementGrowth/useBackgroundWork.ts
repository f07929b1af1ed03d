import { inTransaction, openDatabase } from '@gradeway/shared/database/connection';
import { purgeIdempotencyKeys } from '@gradeway/shared/database/idempotencyStore';
import type { FileStore } from '@gradeway/shared/files/fileStore';
import { deleteFileRows, eraseFileBytes } from '@gradeway/shared/personalData/eraseFiles';
import { type PersonalSubmissions, personalRecords } from '@gradeway/shared/submissions/personalSubmissions';
import type { Sequelize } from 'sequelize';
import { personalRecords as ofAuth } from '../../../services/auth/src/personalData/data/personalRecords.ts';
import { eraseAccountRecords } from '../../../services/auth/src/personalData/data/personEraser.ts';
import { personalRecords as ofCourses } from '../../../services/courses/src/personalData/data/personalRecords.ts';
import { eraseRecords } from '../../../services/courses/src/personalData/data/personEraser.ts';
import { purgeExpired as purgeWebhooks } from '../../../services/courses/src/webhooks/data/purgeExpired.ts';
import { courseSubmissionFiles as homeworkFiles } from '../../../services/homework/src/data/courseSubmissionFiles.ts';
import { personalData as ofHomework } from '../../../services/homework/src/data/personalData.ts';
import { courseSubmissionFiles as quizFiles } from '../../../services/quiz/src/data/courseSubmissionFiles.ts';
import { personalData as ofQuiz } from '../../../services/quiz/src/data/personalData.ts';
import { purgeInbox } from '../../../shared/src/events/inbox.ts';
import { known } from './fillSchool.ts';

type Service = 'auth' | 'courses' | 'homework' | 'quiz';
type Erase = (sequelize: Sequelize, userId: number) => Promise<unknown>;

// A store that holds no bytes, because only the database is measured.
const store = { remove: async () => {} } as unknown as FileStore;

const eraseSubmissions =
  ({ erase }: PersonalSubmissions): Erase =>
  async (sequelize, userId) => {
    await inTransaction(sequelize, async (transaction) => {
      const files = await erase(sequelize, { userId, keepGrades: false }, transaction);
      await deleteFileRows(sequelize, files, userId, transaction);
    });
    for await (const _file of eraseFileBytes(sequelize, store, userId));
  };

const erasers: Record<Service, Erase> = {
  auth: (sequelize, userId) =>
    eraseAccountRecords(sequelize, { userId, keepsGrades: false, email: '', sourcedId: '', confirmed: [] }),
  courses: (sequelize, userId) =>
    inTransaction(sequelize, (transaction) =>
      eraseRecords(sequelize, { userId, keepGrades: false, email: '', sourcedId: '' }, transaction),
    ),
  homework: eraseSubmissions(ofHomework),
  quiz: eraseSubmissions(ofQuiz),
};
const recordsIn = (personalData: PersonalSubmissions) => (sequelize: Sequelize, userId: number) =>
  personalRecords(sequelize, personalData, userId);
const records = {
  auth: ofAuth,
  courses: ofCourses,
  homework: recordsIn(ofHomework),
  quiz: recordsIn(ofQuiz),
};
const courseFiles = { homework: homeworkFiles, quiz: quizFiles };

// These run once an hour.
const purges: Record<Service, ((sequelize: Sequelize) => Promise<void>)[]> = {
  auth: [purgeInbox],
  courses: [purgeInbox, (sequelize) => purgeWebhooks(sequelize, 90 * 86_400_000)],
  homework: [purgeInbox, purgeIdempotencyKeys],
  quiz: [purgeInbox, purgeIdempotencyKeys],
};

/**
 * Exports a person's data, erases another person, and reads all files of a course, as services do over RPC; runs
 * their hourly purges.
 */
export async function useBackgroundWork(urlOf: (service: Service) => string): Promise<void> {
  for (const service of ['auth', 'courses', 'homework', 'quiz'] as const) {
    const limits = { statementTimeoutMs: 120_000, pool: 1 };
    const sequelize = openDatabase({ url: urlOf(service), name: 'growth', ...limits });
    for await (const _record of records[service](sequelize, known.student));
    await erasers[service](sequelize, known.student + 1);
    if (service === 'quiz' || service === 'homework')
      for await (const _file of courseFiles[service](sequelize, known.course));
    for (const purge of purges[service]) await purge(sequelize);
    await sequelize.close();
  }
}
