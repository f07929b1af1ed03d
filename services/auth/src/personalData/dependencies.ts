import type { PersonalDataClient } from './clients/personalDataClient.ts';
import type { ErasureRepository } from './data/erasureRepository.ts';

/** Dependencies that only the routes for personal data need. */
export interface PersonalDataDependencies {
  erasures: ErasureRepository;
  keepsGrades: boolean;
  personalData: PersonalDataClient;
  wakeWorker: () => void;
}
