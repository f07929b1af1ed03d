import type { Role } from '@gradeway/shared/auth/roles';
import { type DeliveryChoice, defaults, type Kind, kinds, kindsOf, type MessageKind } from './kinds.ts';

export const languages = ['en', 'ar'] as const;

export type Language = (typeof languages)[number];

type Choices = Partial<Record<Kind, DeliveryChoice>>;

/** What a person chose. An absent kind has its default. */
export interface Preferences {
  language: Language;
  kinds: Choices;
}

/** The choices to replace. Others stay as they are. */
export interface PreferenceChange {
  language?: Language;
  kinds: Choices;
}

export const defaultPreferences: Preferences = { language: 'en', kinds: {} };

const choiceOf = (choices: Choices, kind: Kind): DeliveryChoice => choices[kind] ?? defaults[kind];

/** The choices for every kind that an account with the role can receive. */
export const choicesOf = (role: Role, choices: Choices): Choices =>
  Object.fromEntries(kindsOf(role).map((kind) => [kind, choiceOf(choices, kind)]));

/** The choices after unsubscribing from a kind. Unsubscribing from the digest ends every kind that is part of it. */
export function withoutKind(choices: Choices, ended: MessageKind): Choices {
  const off = kinds.filter((kind) =>
    ended === 'digest' ? choiceOf(choices, kind) === 'digest' : kind === ended,
  );
  return { ...choices, ...Object.fromEntries(off.map((kind) => [kind, 'off' as const])) };
}
