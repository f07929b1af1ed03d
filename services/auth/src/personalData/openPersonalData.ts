import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { ServiceSecret } from '@gradeway/shared/grpc/serviceKeys';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import { connectPersonalData, type Peer, peers } from './clients/personalDataClient.ts';
import type { personalDataSettings } from './config.ts';
import { ErasureRepository } from './data/erasureRepository.ts';
import { eraseAccountRecords } from './data/personEraser.ts';
import type { PersonalDataDependencies } from './dependencies.ts';
import type { PendingErasure } from './domain/erasure.ts';
import { startErasureWorker } from './domain/erasureWorker.ts';

type Config = ConfigOf<typeof personalDataSettings> & { coursesGrpc: string; serviceSecret: ServiceSecret };

/** Sets up the export of personal data, and the job that erases people in every service. */
export function openPersonalData(
  { config, log, onStop }: ProcessContext<Config>,
  sequelize: Sequelize,
): PersonalDataDependencies {
  const personalData = connectPersonalData({
    addresses: { courses: config.coursesGrpc, homework: config.homeworkGrpc, quiz: config.quizGrpc },
    secret: config.serviceSecret,
  });
  onStop('the connections for personal data', () => personalData.close());

  const erasures = new ErasureRepository(sequelize);
  const eraseIn = (peer: Peer) => (erasure: PendingErasure, signal: AbortSignal) => {
    const { userId, keepsGrades: keepGrades, email, sourcedId } = erasure;
    return personalData.erasePerson(peer, { userId, keepGrades, email, sourcedId }, signal);
  };
  const worker = startErasureWorker({
    erasures,
    services: [
      ['auth', (erasure) => eraseAccountRecords(sequelize, erasure)],
      ...peers.map((peer): [string, ReturnType<typeof eraseIn>] => [peer, eraseIn(peer)]),
    ],
    log,
  });
  onStop('the erasure worker', () => worker.stop());
  return { erasures, keepsGrades: config.erasure === 'keep-grades', personalData, wakeWorker: worker.wake };
}
