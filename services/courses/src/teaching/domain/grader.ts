import type { Principal } from '@gradeway/shared/auth/accessToken';

/** An administrator or an instructor. */
export type Grader = Pick<Principal, 'userId' | 'role'>;

/** Whether a grader needs no assignment to a course. */
export const gradesEveryCourse = ({ role }: Grader): boolean => role === 'admin';
