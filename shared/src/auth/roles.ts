/** D7: what an account is. A student has the role `user`. */
export const roles = ['user', 'instructor', 'parent', 'admin'] as const;

export type Role = (typeof roles)[number];

export const isRole = (value: unknown): value is Role => roles.includes(value as Role);
