import { flag, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';

export const importId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const token = string(100).optional();

export const importQuery = z
  .object({
    dry_run: flag.default(false),
    paid: flag.default(true),
    id: z.string().toLowerCase().regex(importId).optional(),
    token,
  })
  .transform(({ dry_run, paid, ...query }) => ({ ...query, isDryRun: dry_run, isPaid: paid }));

export const importBody = z.object({ token });
