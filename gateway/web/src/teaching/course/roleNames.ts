import type { TeamRole } from '../records/teachingTypes.ts';

/** English names of the roles in a course, keyed by their API names. */
export const roleNames: Record<TeamRole, string> = { teacher: 'Teacher', grader: 'Grader' };
