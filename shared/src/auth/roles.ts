/** Roles of accounts (D7). `user` is a student. */
export const roles = ['user', 'instructor', 'parent', 'admin'] as const;

export type Role = (typeof roles)[number];

/** Who makes a change. A service account acts with the role `admin`, but is recorded as `service`. */
export type ActorRole = Role | 'service';

export const isRole = (value: unknown): value is Role => roles.includes(value as Role);

/** The roles that may grade: administrators in every course, instructors in the courses that they teach. */
export const graderRoles = ['instructor', 'admin'] as const satisfies readonly Role[];
