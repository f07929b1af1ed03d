import { z } from 'zod';
import { flag, title } from '../http/validation.ts';

const maxTokenLength = 100;

/** The query of an upload that is only checked. Without it, a file could be applied before anyone saw its effect. */
export const dryRunQuery = z.object({
  dry_run: flag.default(false).refine((isDryRun) => isDryRun, {
    error: 'The dry_run must be 1, unless a token is given.',
  }),
});

/** The body that applies a dry run. */
export const tokenBody = z.object({ token: title(maxTokenLength) });
