import type { PersonalDataClient } from './clients/personalDataClient.ts';
import type { ErasureRepository } from './data/erasureRepository.ts';

/** Dependencies of the routes for personal data, in addition to those of every route. */
export interface PersonalDataDependencies {
  erasures: ErasureRepository;
  keepsGrades: boolean;
  personalData: PersonalDataClient;
  wakeWorker: () => void;
}
