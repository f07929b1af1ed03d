import type { Principal } from '@gradeway/shared/auth/accessToken';

/** An administrator or an instructor, perhaps with a token that is limited to courses. */
export type Grader = Pick<Principal, 'userId' | 'role' | 'courseIds'>;

/** Whether a grader needs no assignment to a course. */
export const gradesEveryCourse = ({ role }: Grader): boolean => role === 'admin';
