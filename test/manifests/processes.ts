export const processes = ['gateway', 'auth', 'courses', 'homework', 'quiz'] as const;

export type ProcessName = (typeof processes)[number];
