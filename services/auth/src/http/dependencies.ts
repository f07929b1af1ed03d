import type { ServiceDependencies } from '../dependencies.ts';

/** The dependencies of this service's routes. */
export type Dependencies = Omit<ServiceDependencies, 'importDatabase' | 'imports'>;
