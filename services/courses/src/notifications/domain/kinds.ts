import type { Role } from '@gradeway/shared/auth/roles';

/** How a person receives messages of a kind. */
export const deliveries = ['mail', 'digest', 'off'] as const;

export type DeliveryChoice = (typeof deliveries)[number];

/** The messages that students receive, with their defaults. */
const ofStudents = {
  'submission.received': 'mail',
  'grades.released': 'mail',
  'work.published': 'digest',
  'work.due': 'digest',
  'review.answered': 'mail',
} as const satisfies Record<string, DeliveryChoice>;

/** The messages that teachers and graders receive. */
const ofStaff = {
  'review.opened': 'digest',
  'grading.finished': 'digest',
} as const satisfies Record<string, DeliveryChoice>;

export const defaults = { ...ofStudents, ...ofStaff };

/** A kind of message about one event. */
export type Kind = keyof typeof defaults;

/** The subject of a message or of an unsubscribe link: one kind, or the digest of several. */
export type MessageKind = Kind | 'digest';

export const kinds = Object.keys(defaults) as Kind[];

export const isKind = (text: string): text is Kind => Object.hasOwn(defaults, text);

/** The kinds of messages that an account with the role can receive. */
export const kindsOf = (role: Role): Kind[] =>
  (role === 'user' ? Object.keys(ofStudents) : Object.keys(ofStaff)) as Kind[];
