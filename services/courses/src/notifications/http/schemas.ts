import type { Role } from '@gradeway/shared/auth/roles';
import { z } from 'zod';
import { deliveries, kindsOf } from '../domain/kinds.ts';
import { languages, type PreferenceChange } from '../domain/preferences.ts';

/** Changes that an account with the role can make. Kinds that belong to another role are invalid. */
export const preferenceChanges = (role: Role) =>
  z
    .object({
      language: z.enum(languages).optional(),
      kinds: choicesOf(role).optional(),
    })
    .transform(({ language, kinds = {} }) => ({ ...(language && { language }), kinds }));

function choicesOf(role: Role) {
  const own: readonly string[] = kindsOf(role);
  return z
    .record(z.string(), z.enum(deliveries))
    .superRefine((choices, context) => {
      for (const kind of Object.keys(choices))
        if (!own.includes(kind))
          context.addIssue({ code: 'invalid_value', values: [...own], path: [kind], input: kind });
    })
    .transform((choices): PreferenceChange['kinds'] => choices);
}
