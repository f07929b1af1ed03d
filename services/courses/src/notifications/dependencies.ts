import type { Sequelize } from 'sequelize';
import type { PreferenceRepository } from './data/preferenceRepository.ts';

/** Dependencies of the routes. */
export interface NotificationDependencies {
  sequelize: Sequelize;
  preferences: PreferenceRepository;
}
