import type { ServiceDependencies } from '../dependencies.ts';
import type { TeachingDependencies } from '../teaching/dependencies.ts';

export type RpcDependencies = Pick<ServiceDependencies, 'courses' | 'classes' | 'enrollments'> &
  Pick<TeachingDependencies, 'instructors'>;
