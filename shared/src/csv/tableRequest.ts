import { z } from 'zod';
import { invalid } from '../errors/appError.ts';
import { flag, parseInput, title } from '../http/validation.ts';

const maxTokenLength = 100;

/** The query of an upload. */
export const dryRunQuery = z.object({ dry_run: flag.default(false) });

/** The body that applies a dry run. */
export const tokenBody = z.object({ token: title(maxTokenLength) });

/**
 * Requires that an upload is only checked: otherwise, a file could be applied whose effect nobody has seen.
 * @throws AppError `invalid`
 */
export function requireDryRun(query: unknown): void {
  const { dry_run: isDryRun } = parseInput(dryRunQuery, query);
  if (!isDryRun) throw invalid({ dry_run: ['The dry_run must be 1, unless a token is given.'] });
}
