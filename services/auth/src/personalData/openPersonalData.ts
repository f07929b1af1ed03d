import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import { type DeleteUserDependencies, deleteUser } from '../domain/deleteUser.ts';
import { connectPersonalData, type Peer, peers } from './clients/personalDataClient.ts';
import type { personalDataSettings } from './config.ts';
import { openErasureList } from './data/erasureList.ts';
import { ErasureRepository } from './data/erasureRepository.ts';
import { eraseAccountRecords } from './data/personEraser.ts';
import type { PersonalDataDependencies } from './dependencies.ts';
import type { PendingErasure } from './domain/erasure.ts';
import { type Service, startErasureWorker } from './domain/erasureWorker.ts';

type Config = ConfigOf<typeof personalDataSettings> & { coursesGrpc: string; serviceSecret: ServiceSecret };

/** Sets up the export of personal data, and the worker that erases people in every service. */
export async function openPersonalData(
  { config, log, onStop }: ProcessContext<Config>,
  accounts: DeleteUserDependencies,
): Promise<PersonalDataDependencies> {
  const { sequelize, users } = accounts;
  const personalData = connectPersonalData({
    addresses: { courses: config.coursesGrpc, homework: config.homeworkGrpc, quiz: config.quizGrpc },
    secret: config.serviceSecret,
  });
  onStop('the connections for personal data', () => personalData.close());

  const erasures = new ErasureRepository(sequelize);
  const addToList = config.erasureList && (await openErasureList(config.erasureList, erasures));
  const eraseAccount = async (erasure: PendingErasure) => {
    // Needed only after a restore, because an erasure request already deletes the account.
    if (await users.find(erasure.userId)) await deleteUser(accounts, erasure.userId);
    await eraseAccountRecords(sequelize, erasure);
  };
  const eraseIn = (peer: Peer) => (erasure: PendingErasure, signal: AbortSignal) => {
    const { userId, keepsGrades: keepGrades, email, sourcedId } = erasure;
    return personalData.erasePerson(peer, { userId, keepGrades, email, sourcedId }, signal);
  };
  const worker = startErasureWorker({
    erasures,
    services: [
      ...(addToList ? [['list', addToList] satisfies Service] : []),
      ['auth', eraseAccount],
      ...peers.map((peer): Service => [peer, eraseIn(peer)]),
    ],
    log,
  });
  onStop('the erasure worker', () => worker.stop());
  return { erasures, keepsGrades: config.erasure === 'keep-grades', personalData, wakeWorker: worker.wake };
}
