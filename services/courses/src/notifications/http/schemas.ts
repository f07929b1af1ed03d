import type { Role } from '@gradeway/shared/auth/roles';
import { z } from 'zod';
import { deliveries, kindsOf } from '../domain/kinds.ts';
import { languages } from '../domain/preferences.ts';

/** Changes that an account with the role can make. Kinds that belong to another role are invalid. */
export const preferenceChanges = (role: Role) =>
  z
    .object({
      language: z.enum(languages).optional(),
      kinds: z.partialRecord(z.enum(kindsOf(role)), z.enum(deliveries)).optional(),
    })
    .transform(({ language, kinds = {} }) => ({ ...(language && { language }), kinds }));
