import type { PersonalDataClient } from './clients/personalDataClient.ts';
import type { ErasureRepository } from './data/erasureRepository.ts';

/** What the routes for personal data need besides the dependencies of every route. */
export interface PersonalDataDependencies {
  erasures: ErasureRepository;
  keepsGrades: boolean;
  personalData: PersonalDataClient;
  wakeWorker: () => void;
}
