import type { Principal } from '@gradeway/shared/auth/accessToken';
import type { Role } from '@gradeway/shared/auth/roles';

/** The roles that may grade: administrators in every course, instructors in the courses that they teach. */
export const graderRoles = ['instructor', 'admin'] as const satisfies readonly Role[];

/** An administrator or an instructor. */
export type Grader = Pick<Principal, 'userId' | 'role'>;

/** Whether a grader needs no assignment to a course. */
export const gradesEveryCourse = ({ role }: Grader): boolean => role === 'admin';
