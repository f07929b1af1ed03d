import type { Sequelize } from 'sequelize';
import type { ProjectionRepository } from './data/projectionRepository.ts';

/** Dependencies of the consumers of events about items, submissions and allowances. */
export interface ProjectionDependencies {
  sequelize: Sequelize;
  projections: ProjectionRepository;
}
